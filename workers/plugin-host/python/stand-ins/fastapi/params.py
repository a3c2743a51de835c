"""Markers of parameters: nobody reads them here."""


class Depends:
    def __init__(self, dependency=None, *, use_cache=True):
        self.dependency = dependency


class Security(Depends):
    pass


def _marker(default=None, **_options):
    return None if default is ... else default


Body = Cookie = File = Form = Header = Path = Query = _marker
