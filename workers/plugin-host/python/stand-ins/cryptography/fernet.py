"""Fernet tokens: https://github.com/fernet/spec."""

import base64
import binascii
import hashlib
import hmac
import os
import time

from ._aes import Cipher


class InvalidToken(Exception):
    pass


class Fernet:
    def __init__(self, key, backend=None):
        try:
            raw = base64.urlsafe_b64decode(key)
        except (binascii.Error, ValueError) as error:
            raise ValueError("Fernet key must be 32 url-safe base64-encoded bytes.") from error
        if len(raw) != 32:
            raise ValueError("Fernet key must be 32 url-safe base64-encoded bytes.")
        self._sign_key = raw[:16]
        self._cipher = Cipher(raw[16:])

    @classmethod
    def generate_key(cls):
        return base64.urlsafe_b64encode(os.urandom(32))

    def encrypt(self, data):
        return self.encrypt_at_time(data, int(time.time()))

    def encrypt_at_time(self, data, current_time):
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise TypeError("data must be bytes")
        iv = os.urandom(16)
        parts = b"\x80" + current_time.to_bytes(8, "big") + iv + self._cipher.encrypt_cbc(iv, bytes(data))
        return base64.urlsafe_b64encode(parts + self._sign(parts))

    def decrypt(self, token, ttl=None):
        return self.decrypt_at_time(token, ttl, int(time.time())) if ttl is not None else self._read(token)[1]

    def decrypt_at_time(self, token, ttl, current_time):
        made, data = self._read(token)
        if made + ttl < current_time or current_time + 60 < made:
            raise InvalidToken
        return data

    def extract_timestamp(self, token):
        return self._read(token)[0]

    def _read(self, token):
        if not isinstance(token, (bytes, str)):
            raise TypeError("token must be bytes or str")
        try:
            data = base64.urlsafe_b64decode(token)
        except (TypeError, binascii.Error, ValueError):
            raise InvalidToken from None
        if len(data) < 73 or data[0] != 0x80 or not hmac.compare_digest(self._sign(data[:-32]), data[-32:]):
            raise InvalidToken
        try:
            return int.from_bytes(data[1:9], "big"), self._cipher.decrypt_cbc(data[9:25], data[25:-32])
        except ValueError:
            raise InvalidToken from None

    def _sign(self, parts):
        return hmac.digest(self._sign_key, parts, hashlib.sha256)


class MultiFernet:
    def __init__(self, fernets):
        self._fernets = list(fernets)
        if not self._fernets:
            raise ValueError("MultiFernet requires at least one Fernet instance")

    def encrypt(self, data):
        return self._fernets[0].encrypt(data)

    def decrypt(self, token, ttl=None):
        for fernet in self._fernets:
            try:
                return fernet.decrypt(token, ttl)
            except InvalidToken:
                continue
        raise InvalidToken

    def rotate(self, token):
        return self.encrypt(self.decrypt(token))
