"""Baccarat itself: cards, points, who draws, outcome, the rule profile. Pure."""
