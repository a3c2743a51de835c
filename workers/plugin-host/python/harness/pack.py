"""Makes of sources what the snapshot keeps of them. Runs in an interpreter of its own: what compiling leaves behind in memory would
otherwise be in every isolate."""

import base64
import marshal
import zlib


def pack(name, source):
    """@returns base64 of the code of a module, which `install` of runtime.py reads"""
    code = compile(source, f"<{name}>", "exec", dont_inherit=True, optimize=2)
    return base64.b64encode(zlib.compress(marshal.dumps(code), 9)).decode()
