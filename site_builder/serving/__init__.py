"""A preview behind an address: pages over HTTP, and what keeps those that are open up to date."""
