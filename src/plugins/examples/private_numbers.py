"""
title: Private numbers
description: Keeps e-mail addresses, phone, card and account numbers from the model; the answer shows them again.
version: 1.0.0
"""

# `inlet` sees what goes to the model, `stream` each piece of the answer as it comes, `outlet` the finished chat. What was taken out is
# kept in memory only, for each chat, and put back where the model mentions its placeholder.

import re
from collections import OrderedDict

from pydantic import BaseModel, Field

PATTERNS = {
    "EMAIL": r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+",
    "ACCOUNT": r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b",
    "CARD": r"\b\d(?:[ -]?\d){12,18}\b",
    "PHONE": r"(?<![\w.])\+?\d[\d ()/-]{6,}\d(?!\w)",
}
PLACEHOLDER = re.compile(r"\[(?:EMAIL|ACCOUNT|CARD|PHONE)_\d+\]")
# What may be the beginning of one, at the end of a piece.
BEGINNING = re.compile(r"\[[A-Z]{0,7}_?\d*$")


def is_card(text: str) -> bool:
    """Whether the check digit is right, as it is on every card (Luhn)."""
    digits = [int(each) for each in re.sub(r"\D", "", text)]
    doubled = [digit * 2 - 9 if digit > 4 else digit * 2 for digit in digits[-2::-2]]
    return (sum(doubled) + sum(digits[-1::-2])) % 10 == 0


class Filter:
    class Valves(BaseModel):
        priority: int = Field(default=0, description="Filters with a lower number run first.")
        chats: int = Field(default=500, ge=1, description="For so many chats what was taken out is kept in memory.")

    class UserValves(BaseModel):
        emails: bool = Field(default=True, description="Keep e-mail addresses from the model.")
        phones: bool = Field(default=True, description="Keep phone numbers from the model.")
        accounts: bool = Field(default=True, description="Keep card and bank account numbers from the model.")

    def __init__(self):
        self.valves = self.Valves()
        # People switch it on for a chat themselves.
        self.toggle = True
        self.taken = OrderedDict()
        self.rests = {}

    def inlet(self, body: dict, __user__: dict, __metadata__: dict = None) -> dict:
        taken = self._taken(__metadata__)
        wanted = __user__["valves"]
        kinds = {"EMAIL": wanted.emails, "ACCOUNT": wanted.accounts, "CARD": wanted.accounts, "PHONE": wanted.phones}
        for message in body["messages"]:
            content = message.get("content")
            if isinstance(content, str):
                message["content"] = self._take_out(content, kinds, taken)
            for part in content if isinstance(content, list) else []:
                if part.get("type") == "text":
                    part["text"] = self._take_out(part["text"], kinds, taken)
        return body

    def stream(self, event: dict, __metadata__: dict = None) -> dict:
        taken = self._taken(__metadata__)
        key = ((__metadata__ or {}).get("chat_id"), (__metadata__ or {}).get("message_id"))
        for choice in event.get("choices") or []:
            delta = choice.get("delta") or {}
            text = self.rests.pop(key, "") + (delta.get("content") or "")
            beginning = BEGINNING.search(text)
            if beginning and not choice.get("finish_reason"):
                # The rest of the placeholder comes with the next piece.
                self.rests[key] = beginning[0]
                text = text[: beginning.start()]
            if text or delta.get("content"):
                choice["delta"] = {**delta, "content": self._put_back(text, taken)}
        return event

    def outlet(self, body: dict, __metadata__: dict = None) -> dict:
        taken = self._taken(__metadata__)
        for message in body["messages"]:
            if isinstance(message.get("content"), str):
                message["content"] = self._put_back(message["content"], taken)
        return body

    def _taken(self, metadata: dict) -> dict:
        """Placeholders of a chat and what they stand for; the chats that were longest unused are forgotten."""
        chat = (metadata or {}).get("chat_id") or ""
        found = self.taken.setdefault(chat, {})
        self.taken.move_to_end(chat)
        while len(self.taken) > self.valves.chats:
            self.taken.popitem(last=False)
        return found

    def _take_out(self, text: str, kinds: dict, taken: dict) -> str:
        for kind, pattern in PATTERNS.items():
            if kinds[kind]:
                text = re.sub(pattern, lambda match: self._name(kind, match[0], taken), text)
        return text

    def _name(self, kind: str, value: str, taken: dict) -> str:
        if kind == "CARD" and not is_card(value):
            return value
        for placeholder, known in taken.items():
            if known == value:
                return placeholder
        placeholder = f"[{kind}_{len(taken) + 1}]"
        taken[placeholder] = value
        return placeholder

    def _put_back(self, text: str, taken: dict) -> str:
        return PLACEHOLDER.sub(lambda match: taken.get(match[0], match[0]), text)
