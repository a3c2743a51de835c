"""Helpers for messages and completions in the chat-completions shape."""

import hashlib
import re
import time
import uuid
from datetime import timedelta


def get_message_list(messages_map, message_id):
    """The messages of a stored chat from the first one down to this one."""
    found = []
    seen = set()
    while message_id in (messages_map or {}) and message_id not in seen:
        seen.add(message_id)
        message = messages_map[message_id]
        found.append(message)
        message_id = message.get("parentId")
    return found[::-1]


def get_messages_content(messages):
    return "\n".join(f"{message['role'].upper()}: {get_content_from_message(message)}" for message in messages)


def get_content_from_message(message):
    """The text, also of a message of several parts; None where there is none."""
    content = message.get("content")
    if isinstance(content, list):
        return next((part.get("text") for part in content if part.get("type") == "text"), None)
    return content


def _last(messages, role):
    return next((message for message in reversed(messages) if message.get("role") == role), None)


def get_last_user_message_item(messages):
    return _last(messages, "user")


def get_last_user_message(messages):
    message = _last(messages, "user")
    return None if message is None else get_content_from_message(message)


def get_last_assistant_message_item(messages):
    return _last(messages, "assistant")


def get_last_assistant_message(messages):
    message = _last(messages, "assistant")
    return None if message is None else get_content_from_message(message)


def get_system_message(messages):
    return next((message for message in messages if message.get("role") == "system"), None)


def remove_system_message(messages):
    return [message for message in messages if message.get("role") != "system"]


def pop_system_message(messages):
    return get_system_message(messages), remove_system_message(messages)


def _with_text(message, content, append=False):
    """Adds to what a message says, before or after it."""
    old = message.get("content") or ""
    if isinstance(old, list):
        part = next((each for each in old if each.get("type") == "text"), None)
        if part is None:
            old.insert(0, {"type": "text", "text": content})
        else:
            part["text"] = f"{part['text']}\n{content}" if append else f"{content}\n{part['text']}"
    else:
        message["content"] = f"{old}\n{content}" if append else f"{content}\n{old}"
    return message


def add_or_update_system_message(content, messages, append=False):
    if messages and messages[0].get("role") == "system":
        _with_text(messages[0], content, append)
    else:
        messages.insert(0, {"role": "system", "content": content})
    return messages


def replace_system_message_content(content, messages):
    for message in messages:
        if message.get("role") == "system":
            message["content"] = content
            break
    return messages


def add_or_update_user_message(content, messages, append=True):
    if messages and messages[-1].get("role") == "user":
        _with_text(messages[-1], content, append)
    else:
        messages.append({"role": "user", "content": content})
    return messages


def prepend_to_first_user_message_content(content, messages):
    message = next((each for each in messages if each.get("role") == "user"), None)
    if message is not None:
        _with_text(message, content)
    return messages


def append_or_update_assistant_message(content, messages):
    if messages and messages[-1].get("role") == "assistant":
        _with_text(messages[-1], content, True)
    else:
        messages.append({"role": "assistant", "content": content})
    return messages


def openai_chat_message_template(model):
    return {
        "id": f"{model}-{uuid.uuid4()}",
        "created": int(time.time()),
        "model": model,
        "choices": [{"index": 0, "logprobs": None, "finish_reason": None}],
    }


def openai_chat_chunk_message_template(model, content=None, reasoning_content=None, tool_calls=None, usage=None):
    template = openai_chat_message_template(model)
    template["object"] = "chat.completion.chunk"
    delta = {"content": content, "reasoning_content": reasoning_content, "tool_calls": tool_calls}
    delta = {key: value for key, value in delta.items() if value}
    template["choices"][0]["delta"] = delta
    if not delta:
        template["choices"][0]["finish_reason"] = "stop"
    if usage:
        template["usage"] = usage
    return template


def openai_chat_completion_message_template(model, message=None, reasoning_content=None, tool_calls=None, usage=None):
    template = openai_chat_message_template(model)
    template["object"] = "chat.completion"
    if message is not None:
        extras = {"reasoning_content": reasoning_content, "tool_calls": tool_calls}
        extras = {key: value for key, value in extras.items() if value}
        template["choices"][0]["message"] = {"role": "assistant", "content": message, **extras}
    template["choices"][0]["finish_reason"] = "stop"
    if usage:
        template["usage"] = usage
    return template


def deep_update(target, updates):
    for key, value in updates.items():
        if isinstance(value, dict) and isinstance(target.get(key), dict):
            deep_update(target[key], value)
        else:
            target[key] = value
    return target


def sanitize_filename(name):
    return re.sub(r"[^\w\s.-]", "", name, flags=re.UNICODE).strip().replace(" ", "-").lower()


def calculate_sha256_string(text):
    return hashlib.sha256(text.encode()).hexdigest()


def validate_email_format(email):
    return re.fullmatch(r"[^@]+@[^@]+\.[^@]+", email) is not None or email.endswith("@localhost")


_UNITS = {"ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}


def parse_duration(duration):
    """`1h30m` and the like; None for `-1` and `0`, which mean no end."""
    if duration in ("-1", "0"):
        return None
    parts = re.findall(r"(-?\d+(?:\.\d+)?)(ms|[smhdw])", duration)
    if not parts:
        raise ValueError("Invalid duration string")
    return timedelta(seconds=sum(float(number) * _UNITS[unit] for number, unit in parts))
