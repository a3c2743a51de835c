import hmac


class HKDF:
    def __init__(self, algorithm, length, salt, info, backend=None):
        self._name = algorithm.name
        self._size = algorithm.digest_size
        self._length = length
        self._salt = salt or bytes(self._size)
        self._info = info or b""

    def derive(self, key_material):
        key = hmac.digest(self._salt, key_material, self._name)
        output = step = b""
        index = 1
        while len(output) < self._length:
            step = hmac.digest(key, step + self._info + bytes([index]), self._name)
            output += step
            index += 1
        return output[: self._length]
