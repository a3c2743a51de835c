"""
title: Second reader
description: A model that lets one model write and, when you agree, another one check and improve what it wrote.
version: 1.0.0
"""

# A pipe is a model of its own: what `pipe` returns or yields is the answer. It may use the models that the person who asks may use,
# tell what it is doing (`__event_emitter__`) and ask (`__event_call__`, which is None where nobody can answer).

from typing import AsyncGenerator, Awaitable, Callable

from fastapi import Request
from open_webui.utils.chat import generate_chat_completion
from pydantic import BaseModel, Field

CRITIQUE = (
    "You check the draft of an answer. List what is wrong, missing or unclear in it, shortly and in order of weight. "
    "If nothing is, answer with the one word: Fine."
)
IMPROVE = "Write the answer again, taking these remarks into account. Do not mention draft or remarks.\n\nRemarks:\n"


class Pipe:
    class Valves(BaseModel):
        writer: str = Field(default="", description="Id of the model that writes.")
        reader: str = Field(default="", description="Id of the model that checks; empty: the same one.")
        asks_first: bool = Field(default=True, description="Ask the person before the second model is used.")

    def __init__(self):
        self.name = "Second reader"
        self.valves = self.Valves()

    async def pipe(
        self,
        body: dict,
        __user__: dict,
        __request__: Request,
        __event_emitter__: Callable[[dict], Awaitable[None]] = None,
        __event_call__: Callable[[dict], Awaitable[object]] = None,
    ) -> AsyncGenerator[str, None]:
        if not self.valves.writer:
            yield "An administrator has to choose the model that writes: it is the valve `writer` of this function."
            return

        async def complete(model: str, messages: list) -> str:
            found = await generate_chat_completion(__request__, {"model": model, "messages": messages}, __user__)
            return found["choices"][0]["message"]["content"]

        async def say(description: str, done: bool = False) -> None:
            if __event_emitter__:
                await __event_emitter__({"type": "status", "data": {"description": description, "done": done}})

        messages = body["messages"]
        await say("Writing a draft")
        draft = await complete(self.valves.writer, messages)
        if not await self._may_check(__event_call__):
            await say("Written, not checked", done=True)
            yield draft
            return
        await say("Checking the draft")
        question = f"{_as_text(messages)}\n\nDraft:\n{draft}"
        remarks = await complete(
            self.valves.reader or self.valves.writer,
            [{"role": "system", "content": CRITIQUE}, {"role": "user", "content": question}],
        )
        if remarks.strip().rstrip(".").lower() == "fine":
            await say("Checked: nothing to improve", done=True)
            yield draft
            return
        await say("Improving the draft")
        improved = [*messages, {"role": "assistant", "content": draft}, {"role": "user", "content": IMPROVE + remarks}]
        yield await complete(self.valves.writer, improved)
        await say("Checked and improved", done=True)

    async def _may_check(self, ask) -> bool:
        if not self.valves.asks_first:
            return True
        if ask is None:
            return False
        message = "The draft is ready. Shall a second model check and improve it? This takes a little longer."
        return bool(await ask({"type": "confirmation", "data": {"title": "Second reader", "message": message}}))


def _as_text(messages: list) -> str:
    def text_of(content) -> str:
        if isinstance(content, list):
            return " ".join(part.get("text", "") for part in content)
        return content or ""

    return "\n\n".join(f"{each['role']}: {text_of(each.get('content'))}" for each in messages)
