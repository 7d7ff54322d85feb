"""The table: one pure state machine from inputs to events."""
