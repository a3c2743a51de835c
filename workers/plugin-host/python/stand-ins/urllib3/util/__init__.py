from . import retry
from .retry import Retry


class Timeout:
    def __init__(self, total=None, connect=None, read=None):
        self.total = total
