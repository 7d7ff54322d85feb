"""The hand-over of a table: one page for a shift or a gaming day, drawn from what was told.

`period`: which time it covers. `facts`: what happened in it and what is open at its end. `text`: the page.
"""
