# Letters of any script make names; symbols do not.
größe = π_2 + 变量 * ñ1
__x, _1, x٣
a × b
c = “quoted”
d = $e ? !f
#= characters.py:4:3: error: unexpected character `×` [unexpected-character]
#=     4 | a × b
#=       |   ^
#= characters.py:5:5: error: unexpected character `“` [unexpected-character]
#=     5 | c = “quoted”
#=       |     ^
#= hint: strings are quoted with " or '
#= characters.py:5:12: error: unexpected character `”` [unexpected-character]
#=     5 | c = “quoted”
#=       |            ^
#= hint: strings are quoted with " or '
#= characters.py:6:5: error: unexpected character `$` [unexpected-character]
#=     6 | d = $e ? !f
#=       |     ^
#= characters.py:6:8: error: unexpected character `?` [unexpected-character]
#=     6 | d = $e ? !f
#=       |        ^
#= characters.py:6:10: error: unexpected character `!` [unexpected-character]
#=     6 | d = $e ? !f
#=       |          ^
#= hint: negation is written `not`
#= 2:1 name größe
#= 2:7 operator =
#= 2:9 name π_2
#= 2:13 operator +
#= 2:15 name 变量
#= 2:18 operator *
#= 2:20 name ñ1
#= 2:22 newline
#= 3:1 name __x
#= 3:4 operator ,
#= 3:6 name _1
#= 3:8 operator ,
#= 3:10 name x٣
#= 3:12 newline
#= 4:1 name a
#= 4:3 error ×
#= 4:5 name b
#= 4:6 newline
#= 5:1 name c
#= 5:3 operator =
#= 5:5 error “
#= 5:6 name quoted
#= 5:12 error ”
#= 5:13 newline
#= 6:1 name d
#= 6:3 operator =
#= 6:5 error $
#= 6:6 name e
#= 6:8 error ?
#= 6:10 error !
#= 6:11 name f
#= 6:12 newline
#= 7:1 end
