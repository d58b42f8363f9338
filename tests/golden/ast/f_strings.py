# An f-string's parts are expressions with places of their own.
#: mode function
print(f'a{x}b' f"{y!r:>{w}}" 'c', f'{n = }', f'{{{d['k']}}}')
#= (expr 3:1-3:62
#=   (value
#=     (call 3:1-3:62
#=       (name 3:1-3:6 print)
#=       (fstring 3:7-3:33 "text" "" "text" "!r:>{w}" "text"
#=         (string 3:9-3:10 "a")
#=         (name 3:11-3:12 x)
#=         (string 3:13-3:14 "b")
#=         (name 3:19-3:20 y)
#=         (string 3:30-3:33 "c"))
#=       (fstring 3:35-3:44 "text" "!r"
#=         (string 3:38-3:42 "n = ")
#=         (name 3:38-3:39 n))
#=       (fstring 3:46-3:61 "text" "" "text"
#=         (string 3:48-3:50 "{")
#=         (subscript 3:51-3:57
#=           (name 3:51-3:52 d)
#=           (string 3:53-3:56 "k"))
#=         (string 3:58-3:60 "}")))))
