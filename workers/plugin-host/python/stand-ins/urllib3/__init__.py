"""What plugins touch of urllib3: connections are the host's."""

from . import exceptions, util
from .util import Retry, Timeout


def disable_warnings(category=None):
    pass


__version__ = "2.5.0"
