import hashlib


class HashAlgorithm:
    name = ""
    digest_size = 0


def _make(label, size):
    return type(label, (HashAlgorithm,), {"name": label.lower(), "digest_size": size})


SHA1 = _make("SHA1", 20)
SHA224 = _make("SHA224", 28)
SHA256 = _make("SHA256", 32)
SHA384 = _make("SHA384", 48)
SHA512 = _make("SHA512", 64)
MD5 = _make("MD5", 16)


class Hash:
    def __init__(self, algorithm, backend=None):
        self.algorithm = algorithm
        self._hash = hashlib.new(algorithm.name)

    def update(self, data):
        self._hash.update(data)

    def finalize(self):
        return self._hash.digest()
