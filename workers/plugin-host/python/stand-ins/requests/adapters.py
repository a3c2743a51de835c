"""Connections are the host's: what adapters are told about pools and repeated tries changes nothing."""


class BaseAdapter:
    pass


class HTTPAdapter(BaseAdapter):
    def __init__(self, pool_connections=10, pool_maxsize=10, max_retries=0, pool_block=False):
        self.max_retries = max_retries
