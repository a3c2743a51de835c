import hmac

from cryptography.exceptions import InvalidKey


class PBKDF2HMAC:
    def __init__(self, algorithm, length, salt, iterations, backend=None):
        self._name = algorithm.name
        self._size = algorithm.digest_size
        self._length = length
        self._salt = salt
        self._iterations = iterations

    def derive(self, key_material):
        blocks = []
        for index in range(1, -(-self._length // self._size) + 1):
            step = hmac.digest(key_material, self._salt + index.to_bytes(4, "big"), self._name)
            total = int.from_bytes(step, "big")
            for _ in range(self._iterations - 1):
                step = hmac.digest(key_material, step, self._name)
                total ^= int.from_bytes(step, "big")
            blocks.append(total.to_bytes(self._size, "big"))
        return b"".join(blocks)[: self._length]

    def verify(self, key_material, expected_key):
        if not hmac.compare_digest(self.derive(key_material), expected_key):
            raise InvalidKey
