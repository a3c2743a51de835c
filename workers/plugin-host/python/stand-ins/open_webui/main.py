from fastapi import HTTPException, Request, status
from plugin_harness.capabilities import Application

from .utils.chat import generate_chat_completion

app = Application()

generate_chat_completions = chat_completion = generate_chat_completion
