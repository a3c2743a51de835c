from plugin_harness.web import Headers as CaseInsensitiveDict

__all__ = ["CaseInsensitiveDict"]
