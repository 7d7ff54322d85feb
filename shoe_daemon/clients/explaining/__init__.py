"""A coup in plain words, for an inspector who has never seen this program.

`dealt`: cards named on the command line. `finding`: which coup. `facts`: what was told of it, put together
into `parts` from its `cards`, `decisions`, what was told `between` coups, and `fates`, which say where the
cards of irregularities went. `sentences`: each message in words, of `coups`, `house` and `seats`;
`irregular`: irregularities in words. `text`: the page.
"""
