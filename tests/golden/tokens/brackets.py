# Brackets that do not match, and one that a new statement closes.
a = (1, [2, {3: 4}])
b = )
c = (1]
d = f(1, [2
e = 3
def g():
    return (
#= brackets.py:3:5: error: `)` closes no open bracket [unmatched-bracket]
#=     3 | b = )
#=       |     ^
#= brackets.py:4:7: error: `]` does not close `(` [mismatched-bracket]
#=     4 | c = (1]
#=       |       ^
#= brackets.py:4:5: note: opened here
#=     4 | c = (1]
#=       |     ^
#= brackets.py:5:10: error: `[` is never closed [unclosed-bracket]
#=     5 | d = f(1, [2
#=       |          ^
#= brackets.py:8:12: error: `(` is never closed [unclosed-bracket]
#=     8 |     return (
#=       |            ^
#= 2:1 name a
#= 2:3 operator =
#= 2:5 operator (
#= 2:6 int 1
#= 2:7 operator ,
#= 2:9 operator [
#= 2:10 int 2
#= 2:11 operator ,
#= 2:13 operator {
#= 2:14 int 3
#= 2:15 operator :
#= 2:17 int 4
#= 2:18 operator }
#= 2:19 operator ]
#= 2:20 operator )
#= 2:21 newline
#= 3:1 name b
#= 3:3 operator =
#= 3:5 error )
#= 3:6 newline
#= 4:1 name c
#= 4:3 operator =
#= 4:5 operator (
#= 4:6 int 1
#= 4:7 error ]
#= 4:8 newline
#= 5:1 name d
#= 5:3 operator =
#= 5:5 name f
#= 5:6 operator (
#= 5:7 int 1
#= 5:8 operator ,
#= 5:10 operator [
#= 5:11 int 2
#= 6:1 name e
#= 6:3 operator =
#= 6:5 int 3
#= 7:1 error 
#= 7:1 newline
#= 7:1 keyword def
#= 7:5 name g
#= 7:6 operator (
#= 7:7 operator )
#= 7:8 operator :
#= 7:9 newline
#= 8:1 indent
#= 8:5 keyword return
#= 8:12 operator (
#= 9:1 error 
#= 9:1 newline
#= 9:1 dedent
#= 9:1 end
