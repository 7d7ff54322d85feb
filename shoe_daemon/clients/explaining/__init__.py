"""A coup in plain words, for an inspector who has never seen this program.

`dealt`: cards named on the command line. `finding`: which coup. `facts`: what was told of it, put together.
`text`: those facts in words.
"""
