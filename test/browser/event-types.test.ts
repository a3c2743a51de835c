import type { BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { answers, call, chooseModel, send } from "./chat-world.ts";
import { openPluginWorld, type PluginWorld } from "./plugin-world.ts";

/** Emits and asks what the question says: a JSON list of `{emit: event}` and `{call: event}`. */
const echo = `/**
 * title: Echo
 */
export class Pipe {
  async pipe(body, __event_emitter__, __event_call__, __task__) {
    if (__task__) return "A chat";
    const results = [];
    for (const step of JSON.parse(body.messages.at(-1).content)) {
      if (step.emit) await __event_emitter__(step.emit);
      else results.push(await __event_call__(step.call));
    }
    return " Results: " + JSON.stringify(results);
  }
}
`;

let world: PluginWorld;
beforeAll(async () => {
  world = await openPluginWorld();
  await world.addFunction("echo", "Echo", echo);
});
afterAll(() => world?.close());
const pages: Page[] = [];
afterEach(async () => {
  for (const page of pages.splice(0)) await page.close();
});

/** A page of one person, who is the same for all events of a width. */
const contexts: Record<string, BrowserContext> = {};
async function openPage(size: "desktop" | "phone", address: (page: Page) => Promise<string>): Promise<Page> {
  contexts[size] ??= (await world.openChat({ size })).context();
  const page = await world.browser.openPage({ baseURL: world.parley.url, context: contexts[size] });
  pages.push(page);
  await page.goto(await address(page));
  return page;
}

const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const toast = (page: Page, text: string) => page.locator(".toast").filter({ hasText: text });

interface Effect {
  /** All names of the type. */
  types: string[];
  data: unknown;
  /** What a person sees then. */
  seen(page: Page, answer: Locator): Locator | Promise<Locator>;
  /** Shown once, and not again when the page is loaded later. */
  passes?: boolean;
}

/** Every type of the contract that goes one way, with what it does. */
const effects: Record<string, Effect> = {
  "status, done": {
    types: ["status"],
    data: { description: "Read the timetable", done: true, hidden: false },
    seen: (_, answer) => answer.locator('.status[data-open="false"]').getByText("Read the timetable"),
  },
  "status, hidden": {
    types: ["status"],
    data: { description: "Counted words", done: true, hidden: true },
    seen: async (_, answer) => {
      await answer.locator(".status summary").click();
      await expect.poll(() => answer.locator(".status .words").innerText()).not.toContain("Counted");
      return answer.locator(".status").getByRole("listitem").getByText("Counted words");
    },
  },
  "chat:completion, a piece": {
    types: ["chat:completion"],
    data: { choices: [{ delta: { content: "A piece of text." } }] },
    seen: (_, answer) => answer.getByText("A piece of text."),
  },
  "chat:completion, the whole text": {
    types: ["chat:completion"],
    data: { content: "The whole text." },
    seen: (_, answer) => answer.getByText("The whole text."),
  },
  "more text": {
    types: ["chat:message:delta", "message"],
    data: { content: " More text." },
    seen: (_, answer) => answer.getByText("More text."),
  },
  "other text": {
    types: ["chat:message", "replace"],
    data: { content: "Other text." },
    seen: async (_, answer) => {
      const text = answer.getByText("Other text.");
      await text.waitFor();
      await expect.poll(() => answer.innerText()).not.toContain("As stored");
      return text;
    },
  },
  files: {
    types: ["chat:message:files", "files"],
    data: { files: [{ id: "f1", name: "times.csv", size: 2048 }] },
    seen: (_, answer) => answer.getByRole("list", { name: "Files" }).getByText("times.csv"),
  },
  "a title": {
    types: ["chat:title"],
    data: { title: "Named by an event" },
    seen: (page) => heading(page).getByText("Named by an event"),
  },
  "a list of tags": {
    types: ["chat:tags"],
    data: ["harbour", { name: "Deep Sea" }],
    seen: (page) => seesTags(page, ["Deep Sea", "harbour"]),
  },
  "an object of tags": {
    types: ["chat:tags"],
    data: { harbour: "harbour", sea: { name: "Deep Sea" } },
    seen: (page) => seesTags(page, ["Deep Sea", "harbour"]),
  },
  "a source": {
    types: ["source", "citation"],
    data: { source: { name: "timetable.pdf" }, document: ["21:40"], metadata: [{ source: "timetable.pdf" }] },
    seen: (_, answer) => answer.getByRole("link", { name: /^Source 1: timetable\.pdf/ }),
  },
  ...Object.fromEntries(
    [
      ["success", "Done"],
      ["info", "Information"],
      ["warning", "Warning"],
      ["error", "Error"],
    ].map(([type, name]): [string, Effect] => [
      `a notification: ${type}`,
      {
        types: ["notification"],
        data: { type, content: `This is a ${type}` },
        seen: (page) => toast(page, `This is a ${type}`).getByRole("img", { name: name! }),
        passes: true,
      },
    ]),
  ),
  "a favourite": {
    types: ["chat:message:favorite"],
    data: { favorite: true },
    seen: (_, answer) => answer.getByRole("img", { name: "Favourite" }),
  },
};

async function seesTags(page: Page, names: string[]): Promise<Locator> {
  const row = page.getByRole("group", { name: "Tags of this chat" });
  const tag = (name: string) => row.getByRole("button", { name: `Show chats with the tag ${name}` });
  for (const name of names) await tag(name).waitFor();
  // In the list too; on a phone it is in the drawer.
  await page.waitForURL(/\/c\//);
  const listed = page.locator(`#rail a[href="${new URL(page.url()).pathname}"]`).getByText(names.join(" · "));
  await listed.waitFor({ state: "attached" });
  return tag(names[0]!);
}

/** Resolves when the effect is there. */
async function shows(page: Page, { seen }: Effect): Promise<boolean> {
  const shown = await seen(page, answers(page).last());
  await shown.waitFor();
  return shown.isVisible();
}

const named = Object.entries(effects).flatMap(([effect, { types }]) => types.map((type) => [type, effect] as const));

describe("an event of a plugin", () => {
  it.each(named)("%s shows %s", async (type, effect) => {
    const wanted = effects[effect]!;
    const page = await openPage("desktop", async () => "/");
    await chooseModel(page, "Echo");
    const noticed = wanted.passes ? shows(page, wanted) : undefined;
    await send(page, JSON.stringify([{ emit: { type, data: wanted.data } }]));
    await answers(page).last().and(page.locator('[data-state="done"]')).waitFor();
    expect(await (noticed ?? shows(page, wanted))).toBe(true);
    if (wanted.passes) return;
    await page.waitForURL(/\/c\//);
    await page.reload();
    await answers(page).last().waitFor();
    expect(await shows(page, wanted)).toBe(true);
  });

  it("status is at work until it is done", async () => {
    const page = await openPage("desktop", async () => "/");
    await chooseModel(page, "Echo");
    const status = (description: string, done: boolean) => ({ emit: { type: "status", data: { description, done } } });
    const wait = { call: { type: "confirmation", data: { title: "Go on?", message: "" } } };
    await send(page, JSON.stringify([status("Reading", false), wait, status("Read", true)]));
    const line = answers(page).last().locator(".status");
    await line.and(page.locator('[data-open="true"]')).getByText("Reading").waitFor();
    await page.getByRole("button", { name: "Yes" }).click();
    const ended = line.and(page.locator('[data-open="false"]')).locator(".words");
    await ended.waitFor();
    await expect.poll(() => ended.innerText()).toBe("Read");
  });
});

describe("a question of a plugin", () => {
  it.each([
    [
      "confirmation",
      { title: "Change it?", message: "2 lines will change." },
      async (card: Locator) => {
        await card.getByText("2 lines will change.").waitFor();
        await card.getByRole("button", { name: "Yes" }).click();
      },
      "true",
    ],
    [
      "input",
      { title: "Who?", message: "Your name", placeholder: "Ada", value: "Gra" },
      async (card: Locator) => {
        const field = card.getByRole("textbox", { name: "Your name" });
        await field.and(card.getByPlaceholder("Ada")).waitFor();
        await field.press("End");
        await field.pressSequentially("ce");
        await field.press("Enter");
      },
      '"Grace"',
    ],
    ["execute", { code: "return 6 * 7" }, undefined, "42"],
  ] as const)("%s is answered, and the answer goes back", async (type, data, answer, result) => {
    const page = await world.browser.openPage({ baseURL: world.parley.url, context: world.admin });
    await page.goto("/");
    await chooseModel(page, "Echo");
    await send(page, JSON.stringify([{ call: { type, data } }]));
    if (answer) {
      const card = answers(page).last().locator("[data-call]");
      await card.waitFor();
      await answer(card);
    }
    await answers(page).last().and(page.locator('[data-state="done"]')).waitFor();
    await expect.poll(() => answers(page).last().innerText()).toContain(`Results: [${result}]`);
    await page.close();
  });
});

describe("an event of an external tool, at 390 px", () => {
  it.each(named)("%s shows %s", async (type, effect) => {
    const wanted = effects[effect]!;
    const messages = {
      q: { id: "q", parentId: null, childrenIds: ["a"], role: "user", content: "When?" },
      a: { id: "a", parentId: "q", childrenIds: [], role: "assistant", content: "As stored.", done: true },
    };
    let id = "";
    const page = await openPage("phone", async (page) => {
      const chat = { title: "Ferries", history: { currentId: "a", messages } };
      ({ id } = (await call(page.context(), world.parley.url, "POST", "/api/v1/chats/new", { chat })) as {
        id: string;
      });
      return `/c/${id}`;
    });
    await answers(page).last().getByText("As stored.").waitFor();
    await page.locator("main[data-online=true]").waitFor();
    const post = call(page.context(), world.parley.url, "POST", `/api/v1/chats/${id}/messages/a/event`, {
      type,
      data: wanted.data,
    });
    const [shown] = await Promise.all([shows(page, wanted), post]);
    expect(shown).toBe(true);
  });
});

it("every type of the contract is among them", () => {
  const tested = new Set([...named.map(([type]) => type), "confirmation", "input", "execute"]);
  expect([...tested].sort()).toEqual(
    [
      "status",
      "chat:completion",
      "chat:message:delta",
      "message",
      "chat:message",
      "replace",
      "chat:message:files",
      "files",
      "chat:title",
      "chat:tags",
      "source",
      "citation",
      "notification",
      "confirmation",
      "input",
      "execute",
      "chat:message:favorite",
    ].sort(),
  );
});
