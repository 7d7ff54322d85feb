"""The daemon beside an electronic baccarat shoe."""

__version__ = "0.1.0"
