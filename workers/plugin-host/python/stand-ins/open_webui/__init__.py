"""What plugins written for Open WebUI import from it, as far as a sandbox can honestly offer it: constants, helpers for messages,
and look-ups that the caller has the right to make. Look-ups may be awaited or not."""
