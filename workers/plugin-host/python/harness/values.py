"""Values on their way out: JSON texts, whatever a plugin returned."""

import base64
import dataclasses
import datetime
import decimal
import enum
import json
import math

# Longest JSON text of one value, in characters; as in isolate.ts.
OUTPUT_LIMIT = 16_000_000


class OutputTooLong(Exception):
    def __init__(self):
        super().__init__(f"It returned more than {OUTPUT_LIMIT // 1_000_000} million characters")


class StandsFor:
    """What stands for None, True or False where these will not do: nothing can be derived from them."""

    def __init__(self, value):
        self.value = value

    def __bool__(self):
        return bool(self.value)

    def __eq__(self, other):
        return self.value == (other.value if isinstance(other, StandsFor) else other)

    def __hash__(self):
        return hash(self.value)

    def __repr__(self):
        return repr(self.value)


def to_json(value):
    """JSON of a value. Models become objects, bytes become text, what is unknown becomes what `str` says.
    Raises OutputTooLong, or ValueError for what refers to itself."""
    try:
        text = json.dumps(value, default=_plain, allow_nan=False)
    except (ValueError, TypeError):
        text = json.dumps(_clean(value, 0), default=_plain)
    if len(text) > OUTPUT_LIMIT:
        raise OutputTooLong()
    return text


def _plain(value):
    if isinstance(value, StandsFor):
        return value.value
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json")
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value).decode("utf-8", "replace")
    if isinstance(value, decimal.Decimal):
        return float(value)
    if isinstance(value, (set, frozenset)) or hasattr(value, "__next__"):
        return list(value)
    if hasattr(value, "keys") and hasattr(value, "__getitem__"):
        return {str(key): value[key] for key in value.keys()}
    return str(value)


def _clean(value, depth):
    """What JSON knows no word for: numbers that are none, and keys that are no text."""
    if depth > 100:
        raise ValueError("The value refers to itself, or is nested too deep")
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key if isinstance(key, str) else str(key): _clean(item, depth + 1) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_clean(item, depth + 1) for item in value]
    if value is None or isinstance(value, (str, int)):
        return value
    return _clean(_plain(value), depth + 1)


def to_base64(data):
    return base64.b64encode(data).decode("ascii")


def from_base64(text):
    return base64.b64decode(text)
