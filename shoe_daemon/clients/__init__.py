"""Programs beside the daemon, joined to it only by the feed."""
