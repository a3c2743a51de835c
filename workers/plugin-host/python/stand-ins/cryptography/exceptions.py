class InvalidSignature(Exception):
    pass


class InvalidKey(Exception):
    pass


class InvalidTag(Exception):
    pass


class UnsupportedAlgorithm(Exception):
    pass
