# Every form of number; the last ones are none.
0, 00, 1_000, 0xFF, 0XaB_cD, 0o17, 0b1010_0101
1., .5, 1e3, 1E-3, 1_0.2_5e+1_0
1j, 2.5J, 1e3j
123456789012345678901234567890
1if x else 2
0xfor y
1..real
x = 012
y = 1__0
z = 0x
w = 12abc
v = 1e
#= numbers.py:9:5: error: `012` is not a number: a decimal number does not begin with 0; octal numbers begin with 0o [invalid-number]
#=     9 | x = 012
#=       |     ^~~
#= numbers.py:10:5: error: `1__0` is not a number: a `_` must stand between digits [invalid-number]
#=    10 | y = 1__0
#=       |     ^~~~
#= numbers.py:11:5: error: `0x` is not a number: it has no digits [invalid-number]
#=    11 | z = 0x
#=       |     ^~
#= numbers.py:12:5: error: `12abc` is not a number: a letter follows its digits [invalid-number]
#=    12 | w = 12abc
#=       |     ^~~~~
#= numbers.py:13:5: error: `1e` is not a number: the exponent has no digits [invalid-number]
#=    13 | v = 1e
#=       |     ^~
#= 2:1 int 0
#= 2:2 operator ,
#= 2:4 int 00
#= 2:6 operator ,
#= 2:8 int 1_000
#= 2:13 operator ,
#= 2:15 int 0xFF
#= 2:19 operator ,
#= 2:21 int 0XaB_cD
#= 2:28 operator ,
#= 2:30 int 0o17
#= 2:34 operator ,
#= 2:36 int 0b1010_0101
#= 2:47 newline
#= 3:1 float 1.
#= 3:3 operator ,
#= 3:5 float .5
#= 3:7 operator ,
#= 3:9 float 1e3
#= 3:12 operator ,
#= 3:14 float 1E-3
#= 3:18 operator ,
#= 3:20 float 1_0.2_5e+1_0
#= 3:32 newline
#= 4:1 imaginary 1j
#= 4:3 operator ,
#= 4:5 imaginary 2.5J
#= 4:9 operator ,
#= 4:11 imaginary 1e3j
#= 4:15 newline
#= 5:1 int 123456789012345678901234567890
#= 5:31 newline
#= 6:1 int 1
#= 6:2 keyword if
#= 6:5 name x
#= 6:7 keyword else
#= 6:12 int 2
#= 6:13 newline
#= 7:1 int 0xf
#= 7:4 keyword or
#= 7:7 name y
#= 7:8 newline
#= 8:1 float 1.
#= 8:3 operator .
#= 8:4 name real
#= 8:8 newline
#= 9:1 name x
#= 9:3 operator =
#= 9:5 error 012
#= 9:8 newline
#= 10:1 name y
#= 10:3 operator =
#= 10:5 error 1__0
#= 10:9 newline
#= 11:1 name z
#= 11:3 operator =
#= 11:5 error 0x
#= 11:7 newline
#= 12:1 name w
#= 12:3 operator =
#= 12:5 error 12abc
#= 12:10 newline
#= 13:1 name v
#= 13:3 operator =
#= 13:5 error 1e
#= 13:7 newline
#= 14:1 end
