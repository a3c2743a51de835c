"""
title: Wikipedia
description: Looks things up in Wikipedia, in any of its languages, and cites what it read.
version: 1.0.0
hosts: *.wikipedia.org
"""

# Tools are the public methods of the class: models choose one by its name, its docstring and the types of its parameters.
# `__event_emitter__` shows what is going on, and adds a source to the answer for each article.

import asyncio
import urllib.parse
from typing import Any, Awaitable, Callable

import httpx
from pydantic import BaseModel, Field

Emitter = Callable[[dict], Awaitable[None]]


class Tools:
    class Valves(BaseModel):
        address: str = Field(
            default="https://{language}.wikipedia.org",
            description="Where the articles are; {language} becomes the code of the language.",
        )
        articles: int = Field(default=3, ge=1, le=10, description="How many articles are read for a question.")
        characters: int = Field(default=1500, ge=200, le=10_000, description="How much of each one is read.")

    class UserValves(BaseModel):
        language: str = Field(default="en", pattern="^[a-z]{2,3}$", description="Code of your language, such as en or pt.")

    def __init__(self):
        self.valves = self.Valves()

    async def look_up(self, query: str, language: str = "", __user__: dict = {}, __event_emitter__: Emitter = None) -> Any:
        """
        Looks a subject up in Wikipedia and returns the beginnings of the articles that fit best.

        :param query: What to look for, in the words of an encyclopedia: a name, a place, a term.
        :param language: Code of the language to look in, such as `en`; leave it out for the person's own.
        """
        language = language or __user__["valves"].language
        await self._say(__event_emitter__, f"Looking up {query}", done=False)
        try:
            async with httpx.AsyncClient(base_url=self.valves.address.format(language=language), timeout=15) as client:
                found = await self._search(client, query)
                articles = await asyncio.gather(*(self._read(client, title) for title in found))
        except httpx.HTTPError as error:
            await self._say(__event_emitter__, "Wikipedia did not answer", done=True)
            return f"Wikipedia did not answer: {error}"
        for article in articles:
            await self._cite(__event_emitter__, article)
        await self._say(__event_emitter__, f"Read {len(articles)} articles" if articles else "Found nothing", done=True)
        return articles or f"Wikipedia ({language}) has nothing about {query}."

    async def _search(self, client: httpx.AsyncClient, query: str) -> list[str]:
        params = {"action": "query", "list": "search", "srsearch": query, "srlimit": self.valves.articles, "format": "json"}
        response = await client.get("/w/api.php", params=params)
        response.raise_for_status()
        return [entry["title"] for entry in response.json()["query"]["search"]]

    async def _read(self, client: httpx.AsyncClient, title: str) -> dict:
        params = {
            "action": "query",
            "prop": "extracts",
            "explaintext": 1,
            "exchars": self.valves.characters,
            "titles": title,
            "format": "json",
        }
        response = await client.get("/w/api.php", params=params)
        response.raise_for_status()
        page = next(iter(response.json()["query"]["pages"].values()))
        address = f"{client.base_url}/wiki/{urllib.parse.quote(title.replace(' ', '_'))}"
        return {"title": title, "url": address, "text": page.get("extract", "")}

    async def _say(self, emitter: Emitter, description: str, done: bool) -> None:
        if emitter:
            await emitter({"type": "status", "data": {"description": description, "done": done}})

    async def _cite(self, emitter: Emitter, article: dict) -> None:
        if emitter:
            source = {"name": article["title"], "url": article["url"]}
            metadata = [{"source": article["url"], "name": article["title"]}]
            await emitter(
                {"type": "citation", "data": {"document": [article["text"]], "metadata": metadata, "source": source}}
            )
