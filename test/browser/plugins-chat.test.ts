import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { answers, call, chooseModel, composer, send } from "./chat-world.ts";
import { findViolations } from "./find-violations.ts";
import { openPluginWorld, type PluginWorld } from "./plugin-world.ts";
import { takePicture } from "./take-picture.ts";

const ferry = `"""
title: Ferry
"""


class Pipe:
    async def pipe(self, body, __event_emitter__=None, __event_call__=None, __task__=None):
        if __task__ or __event_call__ is None:
            return "Ferry"
        return self.speak(__event_emitter__, __event_call__)

    async def speak(self, emit, ask):
        await emit({"type": "status", "data": {"description": "Looking into the timetable", "done": False}})
        yield "The last ferry leaves at 21:40. "
        change = await ask({"type": "confirmation", "data": {"title": "Change timetable.json?", "message": "2 lines."}})
        await emit({"type": "source", "data": {"source": {"name": "timetable.pdf"}, "document": ["21:40"], "metadata": [{}]}})
        yield "Changed." if change else "Left as it is."
        await emit({"type": "status", "data": {"description": "Timetable read", "done": True}})
`;

const shout = `/**
 * title: Shout
 */
export class Action {
  async action(body, __event_emitter__) {
    const text = body.messages.at(-1).content;
    await __event_emitter__({ type: "replace", data: { content: text.toUpperCase() } });
    await __event_emitter__({ type: "notification", data: { type: "success", content: "Shouted" } });
  }
}
`;

const lookUp = `/**
 * title: Look up
 */
class UserValves {
  /** Said before every finding. */
  greeting: string = "Found";
}
export class Tools {
  /**
   * Looks a text up.
   * @param text what to look up
   */
  async look_up(text: string, __user__: any, __event_emitter__: any): Promise<string> {
    await __event_emitter__({ type: "status", data: { description: "Looking it up", done: true } });
    return __user__.valves.greeting + ": " + text;
  }
}
`;

const loud = `/**
 * title: Loud
 * description: Asks in capitals
 */
export class Filter {
  toggle = true;
  inlet(body) {
    const last = body.messages.at(-1);
    last.content = last.content.toUpperCase();
    return body;
  }
}
`;

/** Lacks a package when it is asked. */
const tides = `class Pipe:
    def pipe(self, body):
        import tide_table
        return tide_table.HIGH
`;

let world: PluginWorld;
beforeAll(async () => {
  world = await openPluginWorld();
  await world.addFunction("tides", "Tides", tides);
  await world.addFunction("ferry", "Ferry", ferry);
  await world.addFunction("shout", "Shout", shout);
  await world.api("POST", "/api/v1/functions/id/shout/toggle/global");
  await world.addFunction("loud", "Loud", loud);
  await world.api("POST", "/api/v1/functions/id/loud/toggle/global");
  await world.addTool("look_up", "Look up", lookUp);
});
afterAll(() => world?.close());
const pages: Page[] = [];
afterEach(async () => {
  for (const page of pages.splice(0)) await page.close();
});

/** A page of the administrator on the empty chat, with a model chosen. */
async function openChat(model: string): Promise<Page> {
  const page = await world.openChat({ context: world.admin });
  pages.push(page);
  await chooseModel(page, model);
  return page;
}

const yes = (page: Page) => page.getByRole("button", { name: "Yes", exact: true });

it("lets a pipe in Python report, ask in every tab, and go on with the answer of the second", async () => {
  const page = await openChat("Ferry");
  await send(page, "When does the last ferry leave?");
  const answer = answers(page).last();
  await answer.getByText("The last ferry leaves at 21:40.").waitFor();
  await answer.locator('.status[data-open="true"]').getByText("Looking into the timetable").waitFor();
  await yes(page).waitFor();
  await page.waitForURL(/\/c\//);

  const second = await world.openChat({ context: world.admin });
  pages.push(second);
  await second.getByRole("img", { name: "Waiting for your answer" }).waitFor();
  await expect.poll(() => second.title()).toMatch(/^● /);
  await second.getByRole("button", { name: "Open chat" }).click();
  await second.waitForURL(new URL(page.url()).pathname);
  await yes(second).click();
  for (const tab of [page, second]) {
    await answers(tab).last().and(tab.locator('[data-state="done"]')).getByText("21:40. Changed.").waitFor();
    await answers(tab).last().locator('.status[data-open="false"] .words').getByText("Timetable read").waitFor();
    await expect
      .poll(() => answers(tab).last().getByRole("list", { name: "Sources" }).innerText())
      .toContain("timetable.pdf");
    await expect.poll(() => yes(tab).count()).toBe(0);
  }
  await answers(second).last().getByText("You said yes.").waitFor();
  await answers(page).last().getByText("Answered in another tab or on another device.").waitFor();
});

it("asks again after a reload, and takes the question away when the answer is stopped", async () => {
  const page = await openChat("Ferry");
  await send(page, "When does it leave?");
  await yes(page).waitFor();
  await page.waitForURL(/\/c\//);
  await page.reload();
  await answers(page).last().locator("[data-call]").waitFor();
  await answers(page).getByText("The last ferry leaves at 21:40.").waitFor();
  await page.getByRole("button", { name: "Stop the answer" }).click();
  await answers(page).last().getByText("the answer was stopped before you answered").waitFor();
  await answers(page).last().and(page.locator('[data-state="stopped"]')).waitFor();
  await expect.poll(() => yes(page).count()).toBe(0);
  await expect.poll(() => answers(page).last().locator('.status[data-open="true"]').count()).toBe(0);
});

it("says which package an answer lacks to those who can add it, and plainly to others", async () => {
  const page = await openChat("Tides");
  await send(page, "When is high water?");
  const failed = answers(page).last().getByRole("alert");
  await failed.getByText("No module named 'tide_table': an administrator can add the package tide-table").waitFor();
  expect(await findViolations(page)).toEqual([]);
  await takePicture(page, "plugins-package-missing");
  await expect
    .poll(() => failed.getByRole("link", { name: "Go to packages" }).getAttribute("href"))
    .toBe("/admin/packages");
  await page.waitForURL(/\/c\//);
  // The same chat, as it is shown to somebody who manages nothing.
  await page.route("**/api/v1/auths/", async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), role: "user" } });
  });
  await page.reload();
  await failed.getByText("This needs a Python package that isn't here. An administrator can add it.").waitFor();
  await expect.poll(() => failed.getByText("tide").count()).toBe(0);
  await expect.poll(() => failed.getByRole("link").count()).toBe(0);
});

it("edits an answer with the button of an action, for the next visit too", async () => {
  const page = await openChat("caller");
  await send(page, "Anything");
  const answer = answers(page).last();
  await answer.and(page.locator('[data-state="done"]')).getByText("I have no tools.").waitFor();
  await answer.getByRole("button", { name: "Shout" }).click();
  await answer.getByText("I HAVE NO TOOLS.").waitFor();
  await page.locator(".toast").getByText("Shouted").waitFor();
  await page.reload();
  await answers(page).last().getByText("I HAVE NO TOOLS.").waitFor();
  await expect.poll(() => answers(page).last().getByText("I have no tools.", { exact: true }).count()).toBe(0);
});

it("offers tools and filters where they are switched on, remembers that for the chat, and shows each call", async () => {
  const page = await openChat("caller");
  await page.getByRole("button", { name: "Tools: none on" }).click();
  const panel = page.getByRole("dialog", { name: "Tools for this chat" });
  await panel.getByRole("switch", { name: "Look up" }).check();
  await panel.getByRole("switch", { name: "Loud" }).check();
  await panel.getByRole("button", { name: "Your settings for Look up" }).click();
  const settings = page.getByRole("dialog", { name: "Your settings for Look up" });
  await settings.getByRole("textbox").fill("Here it is");
  await settings.getByRole("button", { name: "Save" }).click();
  await settings.waitFor({ state: "detached" });
  await send(page, "winter ferry");
  const answer = answers(page).last();
  await answer.and(page.locator('[data-state="done"]')).getByText("The tool says: Here it is: WINTER FERRY").waitFor();
  const step = answer.locator("details.step[data-state=done]");
  await expect.poll(() => step.count()).toBe(1);
  await step.locator("summary").click();
  await step.getByText("Here it is: WINTER FERRY").waitFor();
  await expect
    .poll(async () => (await answer.locator(".segments").innerText()).replace(/\s+/gu, " "))
    .toMatch(/^Let me look\. .*The tool says/u);
  await page.waitForURL(/\/c\//);
  await page.reload();
  await answers(page).last().locator("details.step[data-state=done]").waitFor();
  await page.getByRole("button", { name: "Tools: 2 on" }).waitFor();
  await page.getByRole("link", { name: "New chat" }).first().click();
  await page.getByRole("button", { name: "Tools: none on" }).waitFor();
  await expect.poll(() => composer(page).isVisible()).toBe(true);
});

const asker = `/**
 * title: Asker
 */
export class Tools {
  async ask(text: string, __event_call__: any): Promise<string> {
    return String(await __event_call__({ type: "input", data: { title: "Which berth?", message: "Berth" } }));
  }
}
`;

it.each([
  ["desktop", "light"],
  ["phone", "dark"],
] as const)("says whose a shared tool is, what it can see, and who asks: %s", async (size, theme) => {
  const { browser, parley } = world;
  await world.api("POST", "/api/v1/users/default/permissions", {
    workspace: { tools: true },
    sharing: { tools: true, public_tools: true },
  });
  const maker = await world.openChat();
  const tool = `Asker on a ${size}`;
  await call(maker.context(), parley.url, "POST", "/api/v1/tools/create", {
    id: `asker_${size}`,
    name: tool,
    content: asker,
    meta: {},
    access_grants: [{ principal_type: "user", principal_id: "*", permission: "read" }],
  });
  const { name } = (await call(maker.context(), parley.url, "GET", "/api/v1/auths/")) as { name: string };
  await maker.context().close();
  const page = await browser.openPage({ baseURL: parley.url, size, theme });
  await call(page.context(), parley.url, "POST", "/api/v1/auths/signup", {
    name: "Reader",
    email: `reader-${size}@harbour.example`,
    password: "correct horse battery",
  });
  await page.goto("/");
  pages.push(page);
  await chooseModel(page, "caller");
  await page.getByRole("button", { name: "Tools: none on" }).click();
  const panel = page.getByRole("dialog", { name: "Tools for this chat" });
  await panel.getByText(`Written by ${name}: what it can see`).last().click();
  await panel.getByText("It can't reach other sites.").last().waitFor();
  expect(await findViolations(page)).toEqual([]);
  await panel.getByRole("switch", { name: tool }).check();
  await page.keyboard.press("Escape");
  await send(page, "Where do we moor?");
  const card = answers(page).last().locator("[data-call]");
  await card.getByText(`Asked by ${tool}.`).waitFor();
  await card.getByText(`Written by ${name}, who is not an administrator. Don't enter passwords here.`).waitFor();
  expect(await findViolations(page)).toEqual([]);
  await card.getByRole("textbox").fill("Seven");
  await card.getByRole("button", { name: "Answer" }).click();
  await answers(page).last().getByText("The tool says: Seven").waitFor();
});
