"""How well a shoe's reader and its cards read, drawn from what surveillance was told.

`facts`: what went by unread, and where it stands out. `text`: the page for a technician.
"""
