# Prefixes, quotes and line ends in strings.
'a' "b" r'\d' R"\\" b'x' Br"y" rB'z' u'w'
''
""""""
'it\'s' "a\
b"
"""two
lines""" '''a 'quote' '''
r'\'' bu'not a prefix'
x = 'never closed
y = 1
#= strings.py:10:5: error: this string is never closed [unterminated-string]
#=    10 | x = 'never closed
#=       |     ^
#= 2:1 string 'a'
#= 2:5 string "b"
#= 2:9 string r'\d'
#= 2:15 string R"\\"
#= 2:21 string b'x'
#= 2:26 string Br"y"
#= 2:32 string rB'z'
#= 2:38 string u'w'
#= 2:42 newline
#= 3:1 string ''
#= 3:3 newline
#= 4:1 string """"""
#= 4:7 newline
#= 5:1 string 'it\'s'
#= 5:9 string "a\\nb"
#= 6:3 newline
#= 7:1 string """two\nlines"""
#= 8:10 string '''a 'quote' '''
#= 8:26 newline
#= 9:1 string r'\''
#= 9:7 name bu
#= 9:9 string 'not a prefix'
#= 9:23 newline
#= 10:1 name x
#= 10:3 operator =
#= 10:5 error 'never closed
#= 10:18 newline
#= 11:1 name y
#= 11:3 operator =
#= 11:5 int 1
#= 11:6 newline
#= 12:1 end
