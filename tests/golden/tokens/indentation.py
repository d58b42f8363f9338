# Layout: blank lines and comments make no tokens, brackets and backslashes join lines.
if a:
    b

    # a comment at any indentation
  # is none
    if c: d; e;
    f(1,
  2)
g = 1 + \
    2
class C:
	x = 1
#= 2:1 keyword if
#= 2:4 name a
#= 2:5 operator :
#= 2:6 newline
#= 3:1 indent
#= 3:5 name b
#= 3:6 newline
#= 7:5 keyword if
#= 7:8 name c
#= 7:9 operator :
#= 7:11 name d
#= 7:12 operator ;
#= 7:14 name e
#= 7:15 operator ;
#= 7:16 newline
#= 8:5 name f
#= 8:6 operator (
#= 8:7 int 1
#= 8:8 operator ,
#= 9:3 int 2
#= 9:4 operator )
#= 9:5 newline
#= 10:1 dedent
#= 10:1 name g
#= 10:3 operator =
#= 10:5 int 1
#= 10:7 operator +
#= 11:5 int 2
#= 11:6 newline
#= 12:1 keyword class
#= 12:7 name C
#= 12:8 operator :
#= 12:9 newline
#= 13:1 indent
#= 13:2 name x
#= 13:4 operator =
#= 13:6 int 1
#= 13:7 newline
#= 14:1 dedent
#= 14:1 end
