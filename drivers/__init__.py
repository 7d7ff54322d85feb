"""How each device speaks: sans-IO decoders, shoe profiles, the virtual shoe."""
