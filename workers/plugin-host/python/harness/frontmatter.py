"""The leading block of `key: value` lines."""

import re


def read_frontmatter(code):
    """@returns the values, and the line of each key; keys in lower case"""
    values = {}
    places = {}
    lines = code.splitlines()
    start = 0
    while start < len(lines) and not lines[start].strip():
        start += 1
    if start == len(lines):
        return values, places
    opening = re.match(r"\ufeff?\s*(\"\"\"|''')(.*)$", lines[start])
    if opening is None:
        return values, places
    quotes = opening[1]
    for index in range(start, len(lines)):
        line = opening[2] if index == start else lines[index]
        text, end, _ = line.partition(quotes)
        match = re.match(r"\s*([A-Za-z_]\w*)\s*:\s*(.*?)\s*$", text)
        if match:
            values[match[1].lower()] = match[2]
            places[match[1].lower()] = index + 1
        if end:
            break
    return values, places
