"""AES in CBC mode (FIPS 197, SP 800-38A). For the short texts that plugins keep encrypted: not for large data, and not hardened
against measuring, which a sandbox without a clock of its own does not need."""


def _make_boxes():
    powers = [0] * 256
    logs = [0] * 256
    value = 1
    for exponent in range(255):
        powers[exponent] = value
        logs[value] = exponent
        value ^= (value << 1) ^ (0x11B if value & 0x80 else 0)
        value &= 0xFF
    box = [0x63] * 256
    for number in range(1, 256):
        inverse = powers[(255 - logs[number]) % 255]
        mixed = inverse
        for turn in range(1, 5):
            mixed ^= ((inverse << turn) | (inverse >> (8 - turn))) & 0xFF
        box[number] = mixed ^ 0x63
    back = [0] * 256
    for number, substitute in enumerate(box):
        back[substitute] = number

    def times(a, b):
        return powers[(logs[a] + logs[b]) % 255] if a and b else 0

    return box, back, {factor: [times(factor, number) for number in range(256)] for factor in (2, 3, 9, 11, 13, 14)}


_BOX, _BACK, _TIMES = _make_boxes()
_SHIFT = [(index + 4 * (index % 4)) % 16 for index in range(16)]
_UNSHIFT = [(index - 4 * (index % 4)) % 16 for index in range(16)]


class Cipher:
    def __init__(self, key):
        if len(key) not in (16, 24, 32):
            raise ValueError(f"Invalid key size ({len(key) * 8}) for AES.")
        self._rounds = _expand(key)

    def _encrypt(self, block):
        state = _add(block, self._rounds[0])
        for key in self._rounds[1:-1]:
            state = [_BOX[state[index]] for index in _SHIFT]
            state = _add(_mix(state, 2, 3, 1, 1), key)
        return bytes(_add([_BOX[state[index]] for index in _SHIFT], self._rounds[-1]))

    def _decrypt(self, block):
        state = _add(block, self._rounds[-1])
        for key in reversed(self._rounds[1:-1]):
            state = _add([_BACK[state[index]] for index in _UNSHIFT], key)
            state = _mix(state, 14, 11, 13, 9)
        return bytes(_add([_BACK[state[index]] for index in _UNSHIFT], self._rounds[0]))

    def encrypt_cbc(self, iv, data):
        padding = 16 - len(data) % 16
        data += bytes([padding]) * padding
        blocks = []
        for start in range(0, len(data), 16):
            iv = self._encrypt(_add(data[start : start + 16], iv))
            blocks.append(iv)
        return b"".join(blocks)

    def decrypt_cbc(self, iv, data):
        """Raises ValueError where the padding is wrong."""
        if not data or len(data) % 16:
            raise ValueError("wrong length")
        blocks = []
        for start in range(0, len(data), 16):
            block = data[start : start + 16]
            blocks.append(bytes(_add(self._decrypt(block), iv)))
            iv = block
        plain = b"".join(blocks)
        padding = plain[-1]
        if not 1 <= padding <= 16 or plain[-padding:] != bytes([padding]) * padding:
            raise ValueError("wrong padding")
        return plain[:-padding]


def _add(a, b):
    return [x ^ y for x, y in zip(a, b)]


def _mix(state, *factors):
    mixed = []
    for start in range(0, 16, 4):
        column = state[start : start + 4]
        for row in range(4):
            value = 0
            for index in range(4):
                factor = factors[(index - row) % 4]
                value ^= column[index] if factor == 1 else _TIMES[factor][column[index]]
            mixed.append(value)
    return mixed


def _expand(key):
    size = len(key) // 4
    words = [list(key[index : index + 4]) for index in range(0, len(key), 4)]
    constant = 1
    for index in range(size, 4 * (size + 7)):
        word = words[-1]
        if index % size == 0:
            word = [_BOX[each] for each in word[1:] + word[:1]]
            word[0] ^= constant
            constant = (constant << 1) ^ (0x11B if constant & 0x80 else 0)
        elif size > 6 and index % size == 4:
            word = [_BOX[each] for each in word]
        words.append(_add(words[index - size], word))
    flat = [each for word in words for each in word]
    return [flat[start : start + 16] for start in range(0, len(flat), 16)]
