"""As it was imported once."""

import urllib3
