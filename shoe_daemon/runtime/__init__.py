"""The process: configuration, serial port, pump, journal, feed, control."""
