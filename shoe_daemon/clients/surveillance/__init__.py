"""`shoe-daemon surveillance`: each event of the surveillance feed handed to recorders, archives and alarms.

One module an output. Each output follows the feed by itself from a cursor of its own, which the daemon keeps
and which moves only after the peer has the event: an output that is down holds up no other, and misses
nothing.
"""
