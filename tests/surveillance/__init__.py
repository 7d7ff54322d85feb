"""Outputs of the surveillance client, against real peers where Debian has them."""
