"""Addresses. They are texts that were looked at."""

import re
import urllib.parse

from ._errors import invalid


class _Text(str):
    _format = None
    _schemes = None

    @classmethod
    def _check(cls, value):
        if not isinstance(value, str):
            raise invalid("string_type", "Input should be a valid string", value)
        return cls(value)

    @classmethod
    def __get_pydantic_core_schema__(cls, source, handler):
        return {"type": "function", "mode": "plain", "function": cls._check}

    @classmethod
    def __get_pydantic_json_schema__(cls, schema, handler):
        return {"type": "string", "format": cls._format}


class AnyUrl(_Text):
    _format = "uri"

    @classmethod
    def _check(cls, value):
        text = super()._check(value).strip()
        parts = urllib.parse.urlsplit(text)
        if not parts.scheme:
            raise invalid("url_parsing", "Input should be a valid URL, relative URL without a base", value)
        if cls._schemes and parts.scheme.lower() not in cls._schemes:
            expected = " or ".join(f"'{each}'" for each in cls._schemes)
            raise invalid("url_scheme", f"URL scheme should be {expected}", value)
        if cls._schemes and not parts.netloc:
            raise invalid("url_parsing", "Input should be a valid URL, empty host", value)
        return cls(text)

    @property
    def scheme(self):
        return urllib.parse.urlsplit(self).scheme

    @property
    def host(self):
        return urllib.parse.urlsplit(self).hostname

    @property
    def port(self):
        return urllib.parse.urlsplit(self).port

    @property
    def path(self):
        return urllib.parse.urlsplit(self).path

    @property
    def query(self):
        return urllib.parse.urlsplit(self).query


class AnyHttpUrl(AnyUrl):
    _schemes = ("http", "https")


class HttpUrl(AnyHttpUrl):
    pass


class EmailStr(_Text):
    _format = "email"

    @classmethod
    def _check(cls, value):
        text = super()._check(value).strip()
        if not re.fullmatch(r"[^@\s]+@[^@\s]+\.[^@\s.]+", text):
            raise invalid("value_error", "value is not a valid email address", value)
        return cls(text)
