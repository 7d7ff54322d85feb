"""What of the machine under a daemon helps or hurts it: files that tell, looked at one check a function."""
