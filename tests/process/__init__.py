"""Tests of the real processes: daemon, clients and commands, over pseudo-terminals and sockets."""
