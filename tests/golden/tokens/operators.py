# Operators are as long as they can be; soft keywords are names.
a+b-c*d**e/f//g%h@i<<j>>k&l|m^~n
a<b>c<=d>=e==f!=g
a=b+=c-=d*=e/=f//=g%=h@=i&=j|=k^=l>>=m<<=n**=o
f(x:=1)->...[i:j,]{k:v}.name;
a< -b, a<-b, x.y, 1 .real
not is in and or lambda await match case type _
#= 2:1 name a
#= 2:2 operator +
#= 2:3 name b
#= 2:4 operator -
#= 2:5 name c
#= 2:6 operator *
#= 2:7 name d
#= 2:8 operator **
#= 2:10 name e
#= 2:11 operator /
#= 2:12 name f
#= 2:13 operator //
#= 2:15 name g
#= 2:16 operator %
#= 2:17 name h
#= 2:18 operator @
#= 2:19 name i
#= 2:20 operator <<
#= 2:22 name j
#= 2:23 operator >>
#= 2:25 name k
#= 2:26 operator &
#= 2:27 name l
#= 2:28 operator |
#= 2:29 name m
#= 2:30 operator ^
#= 2:31 operator ~
#= 2:32 name n
#= 2:33 newline
#= 3:1 name a
#= 3:2 operator <
#= 3:3 name b
#= 3:4 operator >
#= 3:5 name c
#= 3:6 operator <=
#= 3:8 name d
#= 3:9 operator >=
#= 3:11 name e
#= 3:12 operator ==
#= 3:14 name f
#= 3:15 operator !=
#= 3:17 name g
#= 3:18 newline
#= 4:1 name a
#= 4:2 operator =
#= 4:3 name b
#= 4:4 operator +=
#= 4:6 name c
#= 4:7 operator -=
#= 4:9 name d
#= 4:10 operator *=
#= 4:12 name e
#= 4:13 operator /=
#= 4:15 name f
#= 4:16 operator //=
#= 4:19 name g
#= 4:20 operator %=
#= 4:22 name h
#= 4:23 operator @=
#= 4:25 name i
#= 4:26 operator &=
#= 4:28 name j
#= 4:29 operator |=
#= 4:31 name k
#= 4:32 operator ^=
#= 4:34 name l
#= 4:35 operator >>=
#= 4:38 name m
#= 4:39 operator <<=
#= 4:42 name n
#= 4:43 operator **=
#= 4:46 name o
#= 4:47 newline
#= 5:1 name f
#= 5:2 operator (
#= 5:3 name x
#= 5:4 operator :=
#= 5:6 int 1
#= 5:7 operator )
#= 5:8 operator ->
#= 5:10 operator ...
#= 5:13 operator [
#= 5:14 name i
#= 5:15 operator :
#= 5:16 name j
#= 5:17 operator ,
#= 5:18 operator ]
#= 5:19 operator {
#= 5:20 name k
#= 5:21 operator :
#= 5:22 name v
#= 5:23 operator }
#= 5:24 operator .
#= 5:25 name name
#= 5:29 operator ;
#= 5:30 newline
#= 6:1 name a
#= 6:2 operator <
#= 6:4 operator -
#= 6:5 name b
#= 6:6 operator ,
#= 6:8 name a
#= 6:9 operator <
#= 6:10 operator -
#= 6:11 name b
#= 6:12 operator ,
#= 6:14 name x
#= 6:15 operator .
#= 6:16 name y
#= 6:17 operator ,
#= 6:19 int 1
#= 6:21 operator .
#= 6:22 name real
#= 6:26 newline
#= 7:1 keyword not
#= 7:5 keyword is
#= 7:8 keyword in
#= 7:11 keyword and
#= 7:15 keyword or
#= 7:18 keyword lambda
#= 7:25 keyword await
#= 7:31 name match
#= 7:37 name case
#= 7:42 name type
#= 7:47 name _
#= 7:48 newline
#= 8:1 end
