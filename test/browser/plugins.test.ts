import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { lastQuestion } from "../fixtures/upstreams/scripted-upstream.ts";
import { answers, ask, chooseModel, send } from "./chat-world.ts";
import { type HarbourWorld, openHarbourWorld } from "./harbour-world.ts";
import { pressLink } from "./press-link.ts";

/** Leaves its last status open, as many plugins do. */
const keeper = `"""
title: Keeper
description: Keeps the timetable, and changes it for those who say yes
version: 0.1.0
"""

import asyncio
from typing import Any, AsyncGenerator, Awaitable, Callable, Optional

from pydantic import BaseModel, Field


class Pipe:
    class Valves(BaseModel):
        harbour: str = Field(default="Old pier", description="Where the ferries leave")

    def __init__(self):
        self.valves = self.Valves()

    async def pipe(
        self,
        body: dict,
        __event_emitter__: Callable[[dict], Awaitable[None]],
        __event_call__: Optional[Callable[[dict], Awaitable[Any]]] = None,
        __task__: Optional[str] = None,
    ) -> AsyncGenerator[str, None]:
        if __task__:
            yield "Ferries"
            return

        async def status(text: str, done: bool) -> None:
            await __event_emitter__({"type": "status", "data": {"description": text, "done": done}})

        await status("Reading the timetable", False)
        for word in f"From {self.valves.harbour} the last ferry leaves at 21:40. ".split(" "):
            yield word + " "
            await asyncio.sleep(0.01)
        await status("Waiting for a decision", False)
        yes = await __event_call__(
            {"type": "confirmation", "data": {"title": "Move it to 22:10?", "message": "Two lines of **the timetable** change."}}
        )
        await status("Writing the timetable", False)
        for word in ("It leaves at 22:10 from now on." if yes else "Nothing was changed.").split(" "):
            yield word + " "
            await asyncio.sleep(0.01)
`;

const tone = `"""
title: Tone
description: Says how the house speaks
"""
from typing import Literal, Optional
from pydantic import BaseModel, Field


class Filter:
    class UserValves(BaseModel):
        tone: Literal["plain", "festive"] = Field(default="plain", description="How answers sound")
        signature: str = Field(default="", description="What stands at the end")

    def __init__(self):
        self.toggle = True

    async def inlet(self, body: dict, __user__: Optional[dict] = None) -> dict:
        valves = __user__["valves"]
        body["messages"].insert(0, {"role": "system", "content": f"Sound {valves.tone}. Sign as {valves.signature}."})
        return body
`;

let world: HarbourWorld;
const opened: Page[] = [];

beforeAll(async () => {
  world = await openHarbourWorld({
    clerk: (request) => {
      const system = request.messages.find(({ role }) => role === "system")?.content ?? "";
      if (system.startsWith("You rewrite texts")) {
        const wish = /like this: (.*)/u.exec(lastQuestion(request))?.[1];
        return { content: `Ferry: **21:40** (${wish}).` };
      }
      return { content: "The last ferry of the day leaves the old pier at 21:40, in all seasons." };
    },
    sailor: (request) => {
      const results = request.messages.filter(({ role }) => role === "tool").map(({ content }) => content);
      if (results.length > 0) return { content: `I was told: ${results.join(" and ")}` };
      const named = (part: string): string =>
        request.tools?.find((tool) => tool.function.name.includes(part))?.function.name ?? `no_${part}`;
      return {
        content: "I ask around. ",
        calls: [
          { name: named("ferries"), arguments: { harbour: "Old pier", season: "winter", after: "21:00" } },
          { name: named("tide"), arguments: { place: "Quay" } },
        ],
      };
    },
  });
  await world.api("POST", "/api/v1/functions/create", { id: "keeper", name: "Keeper", content: keeper, meta: {} });
  await world.api("POST", "/api/v1/functions/id/keeper/toggle", { is_active: true });
});
afterAll(() => world?.close());
afterEach(async () => {
  for (const page of opened.splice(0)) await page.context().close();
});

async function openPage(path: string, beside?: Page): Promise<Page> {
  const page = await world.open(path, beside ? { context: beside.context() } : {});
  opened.push(page);
  return page;
}

const lastAnswer = (page: Page) => answers(page).last();
const doneAnswer = (page: Page) => lastAnswer(page).and(page.locator('[data-state="done"]'));
const yes = (page: Page) => page.getByRole("button", { name: "Yes", exact: true });

/** Nothing of the page looks as if something were still to come. */
async function expectRest(page: Page): Promise<void> {
  await expect.poll(() => page.locator('.status[data-open="true"], .step[data-state="running"]').count()).toBe(0);
  await expect.poll(() => page.locator('.answer[data-state="running"], [data-call]').count()).toBe(0);
  await expect.poll(() => page.getByRole("button", { name: "Stop the answer" }).count()).toBe(0);
}

/** Asks the Keeper in a new chat, and waits until it asks back. */
async function askKeeper(): Promise<Page> {
  const page = await openPage("/");
  await chooseModel(page, "Keeper");
  await send(page, "Can the last ferry leave later?");
  await yes(page).waitFor();
  await page.waitForURL(/\/c\//u);
  return page;
}

/** Waits for the whole answer after a yes. Returns the stages that it went through, as its status line tells them when opened. */
async function stagesOfYes(page: Page): Promise<string[]> {
  await doneAnswer(page).getByText("From Old pier the last ferry leaves at 21:40.").waitFor();
  await doneAnswer(page).getByText("It leaves at 22:10 from now on.").waitFor();
  await doneAnswer(page).locator(".status summary").click();
  await expectRest(page);
  return lastAnswer(page).getByRole("list", { name: "All steps" }).getByRole("listitem").allInnerTexts();
}
const stages = ["Reading the timetable", "Waiting for a decision", "Writing the timetable"];

test("an administrator writes a pipe in Python and sets it up", async () => {
  await world.api("DELETE", "/api/v1/functions/id/keeper/delete");
  const page = await openPage("/admin/functions/new");
  await page.getByLabel("Name", { exact: true }).fill("Keeper");
  await page.getByRole("textbox", { name: "Source" }).click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(keeper);
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByText("This is a model").waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await page.waitForURL("**/admin/functions/keeper");
  await pressLink(page, "/admin/functions");
  await page.getByRole("switch", { name: "Use Keeper", exact: true }).click();
  await page.getByText("Keeper is on").waitFor();
  expect(await world.api("GET", "/api/v1/functions/id/keeper")).toMatchObject({
    content: keeper,
    type: "pipe",
    language: "python",
  });
});

test("what it asks is answered in a second tab, and it goes on in both", async () => {
  const first = await askKeeper();
  const second = await openPage(new URL(first.url()).pathname, first);
  await lastAnswer(second).getByText("Move it to 22:10?").waitFor();
  // What it says in a question is Markdown, as everywhere.
  await lastAnswer(second).locator("[data-call] strong").getByText("the timetable", { exact: true }).waitFor();
  await lastAnswer(second).getByText("From Old pier the last ferry leaves at 21:40.").waitFor();
  await yes(second).click();
  await expect.poll(() => stagesOfYes(second)).toEqual(stages);
  await expect.poll(() => stagesOfYes(first)).toEqual(stages);
  await first.reload();
  await expect.poll(() => stagesOfYes(first)).toEqual(stages);
});

test("what it asks is answered after a reload", async () => {
  const page = await askKeeper();
  await page.reload();
  await lastAnswer(page).getByText("From Old pier the last ferry leaves at 21:40.").waitFor();
  await lastAnswer(page).locator('.status[data-open="true"] .words').getByText("Waiting for a decision").waitFor();
  await yes(page).click();
  await expect.poll(() => stagesOfYes(page)).toEqual(stages);
});

test("of two tabs that answer at once one is right, and the other says so", async () => {
  const first = await askKeeper();
  const second = await openPage(new URL(first.url()).pathname, first);
  const no = second.getByRole("button", { name: "No", exact: true });
  await no.waitFor();
  // Both have answered before either answer arrives.
  const both = [first, second].map((page) => {
    const sent = Promise.withResolvers<void>();
    void page.route("**/api/v1/chats/calls/*/answer", async (route) => {
      sent.resolve();
      await Promise.all(both);
      await route.continue();
    });
    return sent.promise;
  });
  await yes(first).click();
  await no.click();
  for (const page of [first, second])
    await doneAnswer(page)
      .getByText(/from now on|Nothing was changed/u)
      .waitFor();
  const isYes = (await lastAnswer(first).innerText()).includes("from now on");
  const [right, wrong] = isYes ? [first, second] : [second, first];
  await lastAnswer(right)
    .getByText(isYes ? "You said yes." : "You said no.")
    .waitFor();
  await lastAnswer(wrong).getByText("Answered in another tab or on another device.").waitFor();
  await expect.poll(() => lastAnswer(wrong).getByText("You said").count()).toBe(0);
});

test("a stop while it waits takes the question away in both tabs", async () => {
  const first = await askKeeper();
  const second = await openPage(new URL(first.url()).pathname, first);
  await yes(second).waitFor();
  await first.getByRole("button", { name: "Stop the answer" }).click();
  for (const page of [first, second]) {
    await yes(page).waitFor({ state: "detached" });
    await lastAnswer(page).and(page.locator('[data-state="stopped"]')).waitFor();
    await lastAnswer(page).getByText("From Old pier the last ferry leaves at 21:40.").waitFor();
    await expectRest(page);
  }
  const { calls } = await world.api<{ calls: { chat_id: string }[] }>("GET", "/api/v1/chats/calls");
  expect(calls.map((call) => call.chat_id)).not.toContain(new URL(first.url()).pathname.slice("/c/".length));
  await first.reload();
  await lastAnswer(first).and(first.locator('[data-state="stopped"]')).waitFor();
  await expectRest(first);
});

test("a button under an answer edits it", async () => {
  const page = await openPage("/admin/functions/new");
  await page.getByLabel("Start with").selectOption("Rewrite");
  await page.getByRole("button", { name: "Save" }).click();
  await page.waitForURL("**/admin/functions/rewrite");
  await pressLink(page, "/admin/functions");
  await page.getByRole("switch", { name: "Use Rewrite", exact: true }).click();
  await page.getByRole("switch", { name: "Use Rewrite with every model" }).click();
  await page.getByText("Rewrite is on").waitFor();

  await pressLink(page, "/");
  await chooseModel(page, "clerk");
  await send(page, "When does the last ferry leave?");
  const second = await openPage("/", page);
  await doneAnswer(page).getByText("leaves the old pier at 21:40").waitFor();
  await page.waitForURL(/\/c\//u);
  await second.goto(new URL(page.url()).pathname);
  await lastAnswer(page).getByRole("button", { name: "Rewrite" }).click();
  const wish = lastAnswer(page).getByRole("textbox", { name: "How should it change?" });
  await expect.poll(() => wish.inputValue()).toBe("Half as long, same facts");
  await wish.fill("Short as a sign");
  await wish.press("Enter");
  for (const tab of [page, second]) {
    await lastAnswer(tab).getByText("Ferry: 21:40 (Short as a sign).").waitFor();
    await lastAnswer(tab).locator('.status[data-open="false"] .words').getByText("Rewritten").waitFor();
    await expect.poll(() => lastAnswer(tab).getByText("old pier").count()).toBe(0);
    await expect.poll(() => lastAnswer(tab).locator("strong").innerText()).toBe("21:40");
    await expectRest(tab);
  }
  await page.reload();
  await lastAnswer(page).getByText("Ferry: 21:40 (Short as a sign).").waitFor();
  // What the model is told from then on is the new text.
  await ask(page, "Thank you");
  const told = world.upstream.requests.findLast((request) => lastQuestion(request) === "Thank you")!;
  expect(told.messages.map(({ content }) => content)).toContain("Ferry: **21:40** (Short as a sign).");

  // There is nothing in a failed answer to work on.
  const { clerk } = world.upstream.scripts;
  world.upstream.scripts["clerk"] = () => ({ refusal: { status: 400, error: { message: "Not today" } } });
  await send(page, "And tomorrow?");
  await lastAnswer(page).getByText("Not today").waitFor();
  world.upstream.scripts["clerk"] = clerk!;
  await expect.poll(() => lastAnswer(page).getByRole("button", { name: "Rewrite" }).count()).toBe(0);
});

test("tools of an OpenAPI and of an MCP server are called; one of them tells the person meanwhile", async () => {
  const page = await openPage("/admin/tool-servers");
  for (const [kind, address, name] of [
    ["OpenAPI", world.ferries.origin, "Ferries"],
    ["MCP", world.tides.url, "Harbour"],
  ] as const) {
    await page.getByRole("link", { name: "Add a tool server" }).first().click();
    await page.getByRole("radio", { name: kind }).check();
    await page.getByLabel("Address", { exact: true }).fill(address);
    await page.getByRole("button", { name: "Test the server" }).click();
    await page.getByText(/It works: \d+ functions? in/u).waitFor();
    await page.getByRole("button", { name: "Save tool server" }).click();
    await page.getByText(`${name} was added.`).waitFor();
  }
  await pressLink(page, "/");
  await chooseModel(page, "sailor");
  await page.getByRole("button", { name: "Tools: none on" }).click();
  const panel = page.getByRole("dialog", { name: "Tools for this chat" });
  await panel.getByRole("switch", { name: "Ferries" }).check();
  await panel.getByRole("switch", { name: "Harbour", exact: true }).check();
  await page.keyboard.press("Escape");
  await send(page, "When can I leave in winter?");
  await page.locator(".toast").getByText("The winter timetable is in force").waitFor();
  const ferries = { ferries: [{ name: "Aurora", leaves: "21:40" }] };
  await doneAnswer(page).getByText("I was told:").waitFor();
  await page.setViewportSize({ width: 1280, height: 480 });

  expect(world.ferries.calls).toMatchObject([
    { path: "/harbours/Old%20pier/ferries?season=winter", body: { after: "21:00" } },
  ]);
  expect(world.ferries.answers).toEqual(Array.from({ length: 3 }, () => ({ status: 200, body: "true" })));
  const chat = new URL(page.url()).pathname.slice("/c/".length);
  expect(world.ferries.calls[0]?.headers).toMatchObject({
    "x-service-chat-id": chat,
    "x-service-user-email": "ada@harbour.example",
  });
  // Both results went back to the model, each under the id of its call.
  const told = world.upstream.requests.findLast(({ messages }) => messages.some(({ role }) => role === "tool"))!;
  const results = told.messages.filter(({ role }) => role === "tool");
  const calls = told.messages.findLast(({ tool_calls: made }) => made !== undefined)!.tool_calls!;
  expect(calls.map((call) => call.function.name)).toEqual(["find_ferries", "tide_at"]);
  expect(results.map((result) => [result.tool_call_id, JSON.parse(result.content ?? "") as unknown])).toEqual([
    [calls[0]!.id, ferries],
    [calls[1]!.id, { metres: 4 }],
  ]);

  const check = async (): Promise<void> => {
    const steps = lastAnswer(page).locator('details.step[data-state="done"]');
    await expect.poll(() => steps.count()).toBe(2);
    await lastAnswer(page)
      .locator('.status[data-open="false"] .words')
      .getByText("The harbour office answered")
      .waitFor();
    for (const [at, source, called, result] of [
      [0, "Ferries", '"season": "winter"', '"leaves": "21:40"'],
      [1, "Harbour", '"place": "Quay"', '"metres": 4'],
    ] as const) {
      const step = steps.nth(at);
      await expect.poll(() => step.locator("summary").innerText()).toContain(`from ${source}`);
      await expect.poll(() => step.getByText(called).count()).toBe(0);
      await step.locator("summary").click();
      await step.getByRole("region", { name: "Arguments" }).getByText(called).waitFor();
      // What was opened stays in view, although the end of the chat moves away.
      expect((await step.boundingBox())?.y).toBeGreaterThan(40);
      await step.getByRole("region", { name: "Result" }).getByText(result).waitFor();
    }
    const text = (await lastAnswer(page).locator(".segments").innerText()).replace(/\s+/gu, " ");
    expect(text).toMatch(/^I ask around\. .*from Ferries.*from Harbour.*I was told:/u);
    await expectRest(page);
  };
  await check();
  await page.reload();
  await check();
});

test("a filter with a switch and one's own settings changes what the model is asked, where it is on", async () => {
  await world.api("POST", "/api/v1/functions/create", { id: "tone", name: "Tone", content: tone, meta: {} });
  await world.api("POST", "/api/v1/functions/id/tone/toggle");
  await world.api("POST", "/api/v1/functions/id/tone/toggle/global");
  const page = await openPage("/");
  await chooseModel(page, "clerk");
  const asked = async (text: string): Promise<unknown> => {
    const before = await answers(page).count();
    await send(page, text);
    await answers(page).nth(before).and(page.locator('[data-state="done"]')).waitFor();
    return world.upstream.requests.findLast((request) => lastQuestion(request) === text)!.messages[0];
  };
  expect(await asked("First")).toEqual({ role: "user", content: "First" });
  await page.getByRole("button", { name: "Tools: none on" }).click();
  const panel = page.getByRole("dialog", { name: "Tools for this chat" });
  await panel.getByRole("switch", { name: "Tone" }).check();
  await panel.getByRole("button", { name: "Your settings for Tone" }).click();
  const settings = page.getByRole("dialog", { name: "Your settings for Tone" });
  await settings.getByLabel("tone").selectOption("festive");
  await settings.getByLabel("signature").fill("The crew");
  await settings.getByRole("button", { name: "Save" }).click();
  await settings.waitFor({ state: "detached" });
  expect(await asked("Second")).toEqual({ role: "system", content: "Sound festive. Sign as The crew." });
  await page.reload();
  await page.getByRole("button", { name: "Tools: 1 on" }).click();
  await panel.getByRole("switch", { name: "Tone" }).uncheck();
  await page.keyboard.press("Escape");
  expect(await asked("Third")).toMatchObject({ role: "user" });
});
