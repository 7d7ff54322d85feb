"""Measurements of shoe-daemon: `make bench`, or `python -m bench` from the root of the checkout."""
