# Layout that Python refuses.
if a:
        b
	c
if d:
    e
  f
g \ h
#= errors.py:4:1: error: tabs and spaces are mixed so that the indentation depends on the tab width [inconsistent-tabs]
#=     4 |         c
#=       | ^~~~~~~~
#= errors.py:7:1: error: this line's indentation matches no outer level [inconsistent-unindent]
#=     7 |   f
#=       | ^~
#= errors.py:8:3: error: `\` joins lines only as the last character of one [line-continuation]
#=     8 | g \ h
#=       |   ^
#= 2:1 keyword if
#= 2:4 name a
#= 2:5 operator :
#= 2:6 newline
#= 3:1 indent
#= 3:9 name b
#= 3:10 newline
#= 4:2 name c
#= 4:3 newline
#= 5:1 dedent
#= 5:1 keyword if
#= 5:4 name d
#= 5:5 operator :
#= 5:6 newline
#= 6:1 indent
#= 6:5 name e
#= 6:6 newline
#= 7:3 dedent
#= 7:3 name f
#= 7:4 newline
#= 8:1 name g
#= 8:3 error \
#= 8:5 name h
#= 8:6 newline
#= 9:1 end
