"""Import paths of Open WebUI from before it was a package of its own: sources that have them still run there."""

import re

_OLD_PATH = re.compile(r"^([ \t]*from[ \t]+)(?=(?:utils|apps|main|config)(?:\.|[ \t]))", re.MULTILINE)


def renew(code):
    """@returns the source with today's paths; lines stay where they are"""
    return _OLD_PATH.sub(r"\1open_webui.", code)
