# Indentation, joined lines, comments and every class of token. Newline and Indent stand only between
# statements: not in brackets, not after a backslash, not for blank or comment lines.
def k(x, n):
    if n >= 0x1F:  # a comment
        x[n,
          0] = 1.5e-3 + \
            2j

        # another
	# a tab before a comment does not count
        s = "a" 'b' """c
d"""; t = rf"{n!r:>{w}}"
    return
@gpu.jit
async def π(): pass

#= 3:1 keyword def
#= 3:5 name k
#= 3:6 operator (
#= 3:7 name x
#= 3:8 operator ,
#= 3:10 name n
#= 3:11 operator )
#= 3:12 operator :
#= 3:13 newline
#= 4:1 indent
#= 4:5 keyword if
#= 4:8 name n
#= 4:10 operator >=
#= 4:13 int 0x1F
#= 4:17 operator :
#= 4:31 newline
#= 5:1 indent
#= 5:9 name x
#= 5:10 operator [
#= 5:11 name n
#= 5:12 operator ,
#= 6:11 int 0
#= 6:12 operator ]
#= 6:14 operator =
#= 6:16 float 1.5e-3
#= 6:23 operator +
#= 7:13 imaginary 2j
#= 7:15 newline
#= 11:9 name s
#= 11:11 operator =
#= 11:13 string "a"
#= 11:17 string 'b'
#= 11:21 string """c\nd"""
#= 12:5 operator ;
#= 12:7 name t
#= 12:9 operator =
#= 12:11 fstring rf"{n!r:>{w}}"
#= 12:25 newline
#= 13:5 dedent
#= 13:5 keyword return
#= 13:11 newline
#= 14:1 dedent
#= 14:1 operator @
#= 14:2 name gpu
#= 14:5 operator .
#= 14:6 name jit
#= 14:9 newline
#= 15:1 keyword async
#= 15:7 keyword def
#= 15:11 name π
#= 15:12 operator (
#= 15:13 operator )
#= 15:14 operator :
#= 15:16 keyword pass
#= 15:20 newline
#= 16:1 end
