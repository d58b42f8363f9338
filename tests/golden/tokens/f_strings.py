# Each f-string is one token, whatever its fields hold.
f'{x}' f"{d["key"]}" rf'\{x}' F''
f'{x!r:>{width}.{precision}f}' f'{{}}' f'{a != b}'
f'{f'{f'{1}'}'}' f'{(lambda x: {x: '}'})(1)}'
f'{
    x +  # a comment }'
    1
}' f'''{x}
''' f'\N{DEGREE SIGN}' t'{name}'
f'{x
y = 1
#= f_strings.py:10:1: error: this f-string is never closed [unterminated-string]
#=    10 | f'{x
#=       | ^~
#= 2:1 fstring f'{x}'
#= 2:8 fstring f"{d["key"]}"
#= 2:22 fstring rf'\{x}'
#= 2:31 fstring F''
#= 2:34 newline
#= 3:1 fstring f'{x!r:>{width}.{precision}f}'
#= 3:32 fstring f'{{}}'
#= 3:40 fstring f'{a != b}'
#= 3:51 newline
#= 4:1 fstring f'{f'{f'{1}'}'}'
#= 4:18 fstring f'{(lambda x: {x: '}'})(1)}'
#= 4:46 newline
#= 5:1 fstring f'{\n    x +  # a comment }'\n    1\n}'
#= 8:4 fstring f'''{x}\n'''
#= 9:5 fstring f'\N{DEGREE SIGN}'
#= 9:24 fstring t'{name}'
#= 9:33 newline
#= 10:1 error f'{x
#= 10:5 newline
#= 11:1 name y
#= 11:3 operator =
#= 11:5 int 1
#= 11:6 newline
#= 12:1 end
