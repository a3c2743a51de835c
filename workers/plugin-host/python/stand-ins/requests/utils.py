from urllib.parse import quote, unquote, urlparse

from plugin_harness.web import Headers as CaseInsensitiveDict


def requote_uri(uri):
    return quote(uri, safe="!#$%&'()*+,/:;=?@[]~")


def default_user_agent(name="python-requests"):
    return f"{name}/2.32.5"


def dict_from_cookiejar(jar):
    return dict(jar)


__all__ = ["CaseInsensitiveDict", "default_user_agent", "dict_from_cookiejar", "quote", "requote_uri", "unquote", "urlparse"]
