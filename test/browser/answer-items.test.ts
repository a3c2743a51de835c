import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { LiveEvent } from "../../src/shared/live-protocol.ts";
import { answers, ask, call, type ChatWorld, composer, openSharedChatWorld, send, signUp } from "./chat-world.ts";
import { findViolations } from "./find-violations.ts";
import { closed, question, type Tap, tapEvents } from "./tap-events.ts";

let world: ChatWorld;
beforeAll(async () => {
  world = await openSharedChatWorld();
});
afterAll(() => world?.close());
const pages: Page[] = [];
afterEach(async () => {
  for (const page of pages.splice(0)) await page.context().close();
});

interface Opened {
  page: Page;
  tap: Tap;
  chat: string;
  message: string;
  /** Says something about the answer. */
  say: (type: string, data: unknown) => void;
  place: Partial<LiveEvent>;
}

/** A page with one finished answer. */
async function openAnswer(options: Parameters<ChatWorld["browser"]["openPage"]>[0] = {}): Promise<Opened> {
  const page = await world.browser.openPage({ baseURL: world.parley.url, ...options });
  pages.push(page);
  if (!options.context) await signUp(page.context(), world.parley.url);
  const tap = await tapEvents(page);
  await page.goto("/");
  await composer(page).waitFor();
  const chat = await ask(page, "What is the capital of France?");
  const message = (await answers(page).last().getAttribute("data-message"))!;
  const place = { chat_id: chat, message_id: message };
  return { page, tap, chat, message, place, say: (type, data) => tap.say({ ...place, data: { type, data } }) };
}

const step = {
  call_id: "call_1",
  name: "find_document",
  title: "Find a document",
  source: { kind: "plugin", id: "t", name: "Timetables" },
  arguments: '{"query":"last ferry"}',
  state: "running",
  at: 9,
  round: 1,
  started_at: 100,
};

describe("what comes with an answer", () => {
  it("is a status line that is at work until it is done, with all of its steps when opened", async () => {
    const { page, chat, message } = await openAnswer();
    const hold = world.upstream.holdAfter(4);
    await send(page, "And of Spain?");
    await hold.reached;
    const second = answers(page).nth(1);
    await second.getByText("Paris").waitFor();
    const id = (await second.getAttribute("data-message"))!;
    const post = (type: string, data: unknown, to = id) =>
      call(page.context(), world.parley.url, "POST", `/api/v1/chats/${chat}/messages/${to}/event`, { type, data });
    await post("status", { description: "Reading page 1", done: true, hidden: false });
    await post("status", { description: "Counting words", done: true, hidden: true });
    await post("status", { description: "Reading page 2", done: false, hidden: false });
    const line = second.locator(".status");
    await line.and(page.locator('[data-open="true"]')).locator(".words").getByText("Reading page 2").waitFor();
    await expect.poll(() => line.getByText("Counting words").isVisible()).toBe(false);
    await line.locator("summary").click();
    await expect
      .poll(() => line.getByRole("listitem").allInnerTexts())
      .toEqual(["Reading page 1", "Counting words", "Reading page 2"]);
    hold.release();
    // Nobody has said that it is done: the end of the run does.
    await second.and(page.locator('[data-state="done"]')).waitFor();
    await line.and(page.locator('[data-open="false"]')).locator(".words").getByText("Reading page 2").waitFor();
    await post("status", { description: "Looked again", done: true }, message);
    await answers(page).first().getByText("Looked again").waitFor();
    await page.reload();
    await answers(page).nth(1).locator('.status[data-open="false"] .words').getByText("Reading page 2").waitFor();
    await expect.poll(() => answers(page).nth(1).locator(".status li").count()).toBe(3);
    await expect.poll(() => answers(page).first().locator(".status").count()).toBe(1);
  });

  it("is a call of a tool at its place in the text, with arguments and result when opened", async () => {
    const { page, say, chat, message } = await openAnswer();
    say("chat:tool", step);
    const shown = page.locator("details.step");
    await shown.waitFor();
    say("chat:tool", { ...step, state: "done", result: '{"page":4}', is_cut: true, ended_at: 102.1 });
    await shown.and(page.locator('[data-state="done"]')).waitFor();
    await expect.poll(() => shown.count()).toBe(1);
    const summary = await shown.locator("summary").innerText();
    expect(summary).toContain("Find a document");
    expect(summary).toContain("from Timetables");
    expect(summary).toContain("2.1 s");
    const text = (await answers(page).last().locator(".segments").innerText()).replace(/\s+/gu, " ");
    expect(text).toMatch(/^Paris is .*Find a document.* the capital/u);
    await shown.locator("summary").focus();
    await page.keyboard.press("Enter");
    await expect
      .poll(() => shown.getByRole("region", { name: "Arguments" }).innerText())
      .toContain('"query": "last ferry"');
    await expect.poll(() => shown.getByRole("region", { name: "Result" }).innerText()).toContain('"page": 4');
    await expect
      .poll(() => shown.getByRole("link", { name: "Download the whole result" }).getAttribute("href"))
      .toBe(`/api/v1/chats/${chat}/messages/${message}/tools/call_1`);
    say("chat:tool", { ...step, call_id: "call_2", title: "Book", state: "error", error: "Seat taken", at: 9999 });
    const failed = page.locator("details.step[data-state=error]");
    await failed.locator("summary").click();
    await failed.getByText("Seat taken").waitFor();
  });

  it("is a list of sources, files, embeds and suggestions", async () => {
    const { page, say } = await openAnswer();
    say("source", {
      source: { name: "timetable.pdf" },
      document: ["The last ferry leaves at 21:40."],
      metadata: [{ source: "timetable.pdf", page: 3 }],
    });
    say("citation", {
      source: { name: "Harbour", url: "https://example.com/x" },
      document: ["Winter"],
      metadata: [{}],
    });
    say("files", { files: [{ id: "f1", name: "old.csv" }] });
    say("chat:message:files", { files: [{ id: "f2", name: "times.csv", size: 2048 }] });
    say("custom:anything", { surprise: [1, 2, 3] });
    say("chat:message:follow_ups", { follow_ups: ["And of Italy?"] });
    const answer = answers(page).last();
    await expect
      .poll(() => answer.getByRole("list", { name: "Sources" }).getByRole("link").allInnerTexts())
      .toEqual(["1\ntimetable.pdf\np. 4", "2\nHarbour"]);
    await expect.poll(() => answer.getByRole("list", { name: "Files" }).innerText()).not.toContain("old.csv");
    await answer.getByRole("link", { name: "Source 1: timetable.pdf, p. 4" }).click();
    const panel = page.getByRole("complementary", { name: "Source 1" });
    await panel.getByText("The last ferry leaves at 21:40.").waitFor();
    await panel.getByText("Page 4").waitFor();
    await page.goBack();
    await panel.waitFor({ state: "detached" });
    await answer.getByRole("list", { name: "Suggestions" }).getByRole("button", { name: "And of Italy?" }).click();
    await answers(page).nth(1).and(page.locator('[data-state="done"]')).waitFor();
    await expect.poll(() => page.locator("article.question").nth(1).innerText()).toContain("And of Italy?");
  });

  it("is a page of a plugin's own that is a stranger to this one", async () => {
    const { page, say } = await openAnswer();
    await page.evaluate(() => localStorage.setItem("secret", "kept"));
    const end = "</script>";
    const html = `<h2>A table</h2><p id="seen"></p><script>
      const tries = { cookie: () => document.cookie, storage: () => localStorage.secret, page: () => parent.document.title };
      const seen = Object.entries(tries).map(([name, look]) => { try { return name + "=" + look(); } catch (e) { return name + ":" + e.name; } });
      document.querySelector("#seen").textContent = seen.join(" ");
      fetch("/api/config", { credentials: "include" }).then(() => document.body.append("fetched"), () => document.body.append("refused"));
    ${end}<div style="height: 300px"></div>`;
    say("embeds", { embeds: [html] });
    const element = page.locator('iframe[title="Embedded content"]');
    const frame = page.frameLocator('iframe[title="Embedded content"]');
    await frame.getByText("refused").waitFor();
    await expect
      .poll(() => frame.locator("#seen").innerText())
      .toBe("cookie:SecurityError storage:SecurityError page:SecurityError");
    await expect.poll(async () => (await element.boundingBox())?.height ?? 0).toBeGreaterThan(340);
  });
});

describe("notices", () => {
  it("are shown on every page, with what they mean, and errors stay", async () => {
    const { page, tap } = await openAnswer();
    const before = tap.sessionId;
    await page.goto("/settings");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await expect.poll(() => tap.sessionId).not.toBe(before);
    for (const [type, name] of [
      ["success", "Done"],
      ["warning", "Warning"],
      ["error", "Error"],
      ["info", "Information"],
    ]) {
      tap.say({ data: { type: "notification", data: { type, content: `It is a ${type}` } } });
      const toast = page.locator(".toast").filter({ hasText: `It is a ${type}` });
      await toast.getByRole("img", { name: name! }).waitFor();
    }
  });
});

describe("a question", () => {
  it("stands in the answer, takes Enter and Escape, and says how it ended", async () => {
    const { page, tap, place } = await openAnswer();
    const posted: unknown[] = [];
    await page.route("**/calls/*/answer", (route) => {
      posted.push([route.request().url().split("/").at(-2), route.request().postDataJSON()]);
      return route.fulfill({ json: true });
    });
    const card = (id: string) => answers(page).last().locator(`[data-call=${id}]`);
    tap.say(question("q1", place, "confirmation", { title: "Change it?", message: "2 lines will change." }));
    await card("q1").getByText("2 lines will change.").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await card("q1").getByRole("button", { name: "Yes" }).click();
    await expect.poll(() => posted).toEqual([["q1", { value: true }]]);
    tap.say(closed("q1", "answered"));
    await answers(page).last().getByText("You said yes.").waitFor();
    await expect.poll(() => card("q1").count()).toBe(0);

    tap.say(
      question("q2", place, "input", { title: "Who are you?", message: "Your name", placeholder: "Ada", value: "A" }),
    );
    const field = card("q2").getByRole("textbox", { name: "Your name" });
    await field.waitFor();
    await expect.poll(() => field.inputValue()).toBe("A");
    await expect.poll(() => field.getAttribute("placeholder")).toBe("Ada");
    await field.fill("Grace");
    await field.press("Enter");
    await expect.poll(() => posted.at(-1)).toEqual(["q2", { value: "Grace" }]);
    tap.say(closed("q2", "answered"));
    await answers(page).last().getByText("You answered: Grace").waitFor();

    tap.say(question("q3", place, "input", { title: "Password", message: "For the archive", type: "password" }));
    const secret = card("q3").getByLabel("For the archive", { exact: true });
    await expect.poll(() => secret.getAttribute("type")).toBe("password");
    await secret.press("Escape");
    await expect.poll(() => posted.at(-1)).toEqual(["q3", { value: false }]);
    tap.say(closed("q3", "answered"));
    await answers(page).last().getByText("You cancelled.").waitFor();

    for (const [id, reason, words] of [
      ["q4", "timeout", "Nobody answered in time"],
      ["q5", "stopped", "the answer was stopped"],
      ["q6", "answered", "Answered in another tab"],
    ] as const) {
      tap.say(question(id, place, "confirmation", { title: `Question ${id}`, message: "" }));
      await card(id).waitFor();
      tap.say(closed(id, reason));
      await answers(page).last().getByText(words).waitFor();
      await expect.poll(() => card(id).count()).toBe(0);
    }
  });

  it("keeps what was entered when the answer does not arrive, and can be answered again", async () => {
    const { page, tap, place } = await openAnswer();
    let isDown = true;
    await page.route("**/calls/*/answer", (route) =>
      isDown ? route.fulfill({ status: 503, json: { detail: "later" } }) : route.fulfill({ json: true }),
    );
    tap.say(question("q1", place, "input", { title: "Who?", message: "Name" }));
    const card = page.locator("[data-call=q1]");
    await card.getByRole("textbox", { name: "Name" }).fill("Grace");
    await card.getByRole("button", { name: "Answer" }).click();
    await card.getByText("Your answer couldn't be sent").waitFor();
    await expect.poll(() => card.getByRole("textbox", { name: "Name" }).inputValue()).toBe("Grace");
    isDown = false;
    const again = page.waitForRequest("**/calls/q1/answer");
    await card.getByRole("button", { name: "Answer" }).click();
    expect((await again).postDataJSON()).toEqual({ value: "Grace" });
  });

  it("does not take the focus from somebody who writes, and gives it back otherwise", async () => {
    const { page, tap, place } = await openAnswer();
    await page.route("**/calls/*/answer", (route) => route.fulfill({ json: true }));
    await composer(page).fill("I am wri");
    tap.say(question("q1", place, "input", { title: "Who?", message: "Name" }));
    await page.locator("[data-call=q1]").waitFor();
    await page.keyboard.type("ting");
    await expect.poll(() => composer(page).inputValue()).toBe("I am writing");
    tap.say(closed("q1", "stopped"));
    await composer(page).fill("");
    tap.say(question("q2", place, "input", { title: "Who?", message: "Name" }));
    await page.locator("[data-call=q2] input:focus").waitFor();
    await page.keyboard.type("Grace\n");
    tap.say(closed("q2", "answered"));
    await page.locator(".compose textarea:focus").waitFor();
  });

  it("of a chat that is not in view is one click away on every page, with a dot in the rail and in the title", async () => {
    const { page, tap, place, chat } = await openAnswer();
    await page.getByRole("link", { name: "New chat" }).first().click();
    await page.waitForURL((url) => url.pathname === "/");
    await expect.poll(() => page.title()).not.toContain("●");
    tap.say(question("q1", place, "confirmation", { title: "Change it?", message: "" }));
    await page.getByRole("img", { name: "Waiting for your answer" }).waitFor();
    await expect.poll(() => page.title()).toMatch(/^● /);
    await page.getByRole("button", { name: "Open chat" }).click();
    await page.waitForURL(`**/c/${chat}`);
    await page.locator("[data-call=q1]").waitFor();
    await expect.poll(() => page.title()).not.toContain("●");
    await expect.poll(() => page.getByRole("button", { name: "Open chat" }).count()).toBe(0);
    tap.say(closed("q1", "timeout"));
    await page.getByRole("img", { name: "Waiting for your answer" }).waitFor({ state: "detached" });
  });
});

describe("code of a plugin", () => {
  async function run(code: string, tab = "mine"): Promise<unknown> {
    const { page, tap } = await openAnswer();
    await page.evaluate(() => localStorage.setItem("secret", "kept"));
    const id = "x1";
    const answered = page.waitForRequest(`**/calls/${id}/answer`);
    tap.say(question(id, {}, "execute", { code }, tab === "mine" ? tap.sessionId : tab));
    return (await answered).postDataJSON() as unknown;
  }

  it("runs in this tab and its result goes back; an error goes back as one", async () => {
    expect(await run("await null; return { sum: 1 + 1, list: [true, null] }")).toEqual({
      value: { sum: 2, list: [true, null] },
    });
    expect(await run("undefined")).toEqual({ value: null });
    expect(await run("throw new TypeError('no such thing')")).toEqual({ error: "TypeError: no such thing" });
    expect(await run("this is no code")).toMatchObject({ error: expect.stringContaining("SyntaxError") });
    expect(await run("const a = {}; a.a = a; return a")).toMatchObject({ error: expect.stringContaining("TypeError") });
  });

  it("cannot reach the session, the page, its storage or the network", async () => {
    const code = `
      const tries = {
        cookie: () => document.cookie,
        storage: () => localStorage.getItem("secret"),
        session: () => sessionStorage.length,
        page: () => parent.document.title,
        top: () => top.location.href,
        database: () => new Promise((done, fail) => { const ask = indexedDB.open("x"); ask.onsuccess = done; ask.onerror = () => fail(ask.error); }),
        fetch: () => fetch("/api/v1/auths/", { credentials: "include" }).then((r) => r.text()),
        absolute: () => fetch("${world.parley.url}/api/config").then((r) => r.text()),
        socket: () => new Promise((done, fail) => { const s = new WebSocket("${world.parley.url.replace("http", "ws")}/api/v1/events"); s.onopen = () => done("open"); s.onerror = () => fail(new Error("refused")); }),
        image: () => new Promise((done, fail) => { const i = new Image(); i.onload = () => done("loaded"); i.onerror = () => fail(new Error("refused")); i.src = "${world.parley.url}/favicon.svg"; }),
        script: () => import("${world.parley.url}/boot.js"),
        scripts: () => importScripts("${world.parley.url}/boot.js"),
        popup: () => { const w = open("/"); if (!w) throw new Error("refused"); return "opened"; },
        navigate: () => { top.location = "/settings"; return "gone"; },
      };
      const seen = {};
      for (const [name, look] of Object.entries(tries)) {
        try { seen[name] = "reached: " + await look(); } catch (error) { seen[name] = "refused"; }
      }
      seen.origin = origin;
      return seen;`;
    const { value } = (await run(code)) as { value: Record<string, string> };
    const { origin, ...seen } = value;
    expect(origin).toBe("null");
    expect(Object.keys(seen)).toHaveLength(14);
    expect(Object.entries(seen).filter(([, outcome]) => outcome !== "refused")).toEqual([]);
  });

  it("that talks to its frame on its own is ended", async () => {
    expect(await run("for (;;) postMessage({ kind: 'ready' });")).toEqual({ error: "The code ended without a result" });
  });

  it("that never ends stops nothing but itself, and only until its time is over", async () => {
    const { page, tap } = await openAnswer();
    const answered = page.waitForRequest("**/calls/x1/answer");
    const endless = question("x1", {}, "execute", { code: "for (;;);" }, tap.sessionId);
    tap.say({ ...endless, call: { ...endless.call!, expires_at: Date.now() / 1000 + 3 } });
    await page.locator('iframe[src="/frames/execute"]').waitFor({ state: "attached" });
    await composer(page).fill("The page goes on");
    await page.getByRole("button", { name: "Send" }).and(page.locator(":enabled")).waitFor();
    const { error } = (await answered).postDataJSON() as { error: string };
    expect(error).toContain("didn't finish within");
    await page.locator('iframe[src="/frames/execute"]').waitFor({ state: "detached" });
  });

  it("is left to the tab that the service names", async () => {
    const { page, tap } = await openAnswer();
    const asked: string[] = [];
    page.on("request", (request) => request.url().includes("/answer") && asked.push(request.url()));
    tap.say(question("x1", {}, "execute", { code: "return 1" }, "another-tab"));
    tap.say(question("x2", {}, "execute", { code: "return 2" }, tap.sessionId));
    await page.waitForRequest("**/calls/x2/answer");
    expect(asked.filter((url) => url.includes("x1"))).toEqual([]);
  });

  it("is a stranger even to somebody who opens its frame as a page", async () => {
    const { page } = await openAnswer();
    for (const frame of ["/frames/execute", "/frames/embed"]) {
      const response = await page.goto(frame);
      const policy = response?.headers()["content-security-policy"] ?? "";
      expect(policy).toMatch(/^sandbox allow-scripts/);
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toContain("connect-src");
      expect(await page.evaluate(() => origin)).toBe("null");
    }
  });
});
