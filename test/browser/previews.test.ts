import { createSocket, type Socket } from "node:dgram";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Parley, startParley } from "../stack/start-parley.ts";
import { type Account, ada, callApi, signInContext, signUpByApi } from "./accounts.ts";
import { findViolations } from "./find-violations.ts";
import { networkAttack, reachAttack, realmAttack } from "./hostile-pages.ts";
import { openBrowser, type PageOptions, type TestBrowser } from "./open-browser.ts";

const bo: Account = { name: "Bo Member", email: "bo@harbour.example", password: "correct horse battery" };

let parley: Parley;
let browser: TestBrowser;
let token: string;
/** Another site, over TCP and UDP, and what reached it. */
let site: Server;
let datagrams: Socket;
let stranger: string;
let reached: string[] = [];
const pages: Page[] = [];

beforeAll(async () => {
  site = createServer((request, response) => {
    reached.push(request.url ?? "");
    response.writeHead(200, { "access-control-allow-origin": "*" }).end("caught");
  });
  site.on("connection", () => reached.push("a connection"));
  datagrams = createSocket("udp4");
  datagrams.on("message", () => reached.push("a datagram"));
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  const { port } = site.address() as AddressInfo;
  await new Promise<void>((resolve) => datagrams.bind(port, "127.0.0.1", resolve));
  stranger = `127.0.0.1:${port}`;
  // A page that eats memory comes to the end of its own before the machine does.
  const bounded = openBrowser(["--js-flags=--max-old-space-size=512"]);
  [parley, browser] = await Promise.all([startParley({ env: { DEFAULT_USER_ROLE: "user" } }), bounded]);
  await signUpByApi(parley.url, ada);
  ({ token } = await signUpByApi(parley.url, bo));
});
afterAll(async () => {
  await browser.close();
  await parley.stop();
  site.close();
  datagrams.close();
});
beforeEach(() => {
  reached = [];
});
afterEach(async () => {
  for (const page of pages.splice(0)) await page.context().close();
});

/** A page with a chat of these answers. */
async function openAnswers(answers: string[], options: PageOptions = {}): Promise<Page> {
  const messages = answers.flatMap((content, index) => {
    const [question, answer] = [`q${index}`, `a${index}`];
    const before = index === 0 ? null : `a${index - 1}`;
    const next = index + 1 < answers.length ? [`q${index + 1}`] : [];
    return [
      { id: question, parentId: before, childrenIds: [answer], role: "user", content: "Show it" },
      {
        id: answer,
        parentId: question,
        childrenIds: next,
        role: "assistant",
        content,
        model: "parley-guide",
        done: true,
      },
    ];
  });
  const history = {
    currentId: `a${answers.length - 1}`,
    messages: Object.fromEntries(messages.map((message) => [message.id, { ...message, timestamp: 1_760_000_000 }])),
  };
  const { id } = await callApi<{ id: string }>(parley.url, token, "POST", "/api/v1/chats/new", {
    chat: { title: "Previews", history },
  });
  const page = await browser.openPage({ baseURL: parley.url, ...options });
  pages.push(page);
  await signInContext(page, parley.url, bo);
  await page.goto(`/c/${id}`);
  await page.locator("article.answer").last().waitFor();
  return page;
}

const block = (language: string, code: string): string => `Here:\n\n\`\`\`${language}\n${code}\n\`\`\`\n\nDone.`;
const panel = (page: Page) => page.getByRole("complementary", { name: "Preview" });
const stage = (page: Page) => page.frameLocator('iframe[src$="/frames/preview"]');

/** What axe finds in the page of a model itself: what we write around it, as its head. */
async function violationsInside(page: Page, rules: string[]): Promise<string[]> {
  const frame = page.frames().find((each) => each.url().endsWith("/frames/preview"));
  return findViolations(frame!, rules);
}
const inside = ["color-contrast", "button-name", "label", "link-name", "image-alt", "frame-title", "meta-viewport"];

async function openPreview(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Preview", exact: true }).last().click();
  await panel(page).waitFor();
}

/** The console as it says `wanted`. */
async function printed(page: Page, wanted: string | RegExp): Promise<string> {
  const line = panel(page).locator(".lines p").filter({ hasText: wanted }).first();
  await line.waitFor({ state: "attached" });
  return (await line.textContent()) ?? "";
}

/** Runs a script of a model's page and gives what it tells. */
async function runInPreview(script: string): Promise<{ page: Page; told: Record<string, string> }> {
  const page = await openAnswers([
    block(
      "html",
      `<body><h1>Page</h1><script>(async () => {${script}})().then((told) => console.log("TOLD " + JSON.stringify(told)))</script></body>`,
    ),
  ]);
  await openPreview(page);
  const text = await printed(page, "TOLD ");
  return { page, told: JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1)) as Record<string, string> };
}

describe("a preview", () => {
  it("puts the blocks of an answer together, has versions through the turns, a console and a download; Back closes it", async () => {
    const first = [block("html", "<h1>First</h1><p id=out></p>"), block("css", "h1 { color: rgb(1, 2, 3) }")].join(
      "\n",
    );
    const second = `${first}\n${block("js", 'document.querySelector("#out").textContent = "ran";\nconsole.warn("careful");\nmissing();')}`;
    const page = await openAnswers([first, second.replace("First", "Second")]);
    await openPreview(page);
    await stage(page).getByRole("heading", { name: "Second" }).waitFor();
    await stage(page).getByText("ran").waitFor();
    const heading = stage(page).getByRole("heading");
    await expect.poll(() => heading.evaluate((element) => getComputedStyle(element).color)).toBe("rgb(1, 2, 3)");
    await printed(page, "careful");
    expect(await printed(page, "missing is not defined")).toMatch(/line \d/);
    expect(await violationsInside(page, inside)).toEqual([]);
    await panel(page).getByText("Version 2 of 2").waitFor();
    await panel(page).getByRole("button", { name: "Older version" }).click();
    await stage(page).getByRole("heading", { name: "First" }).waitFor();
    const saved = page.waitForEvent("download");
    await panel(page).getByRole("button", { name: "Download" }).click();
    expect((await saved).suggestedFilename()).toBe("page.html");
    await panel(page).getByRole("button", { name: "Fill the window" }).click();
    await panel(page).getByRole("button", { name: "Back to the chat" }).waitFor();
    await page.keyboard.press("Escape");
    await panel(page).getByRole("button", { name: "Fill the window" }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.goBack();
    await panel(page).waitFor({ state: "detached" });
  });

  it("of a component runs React; one that cannot be read says where", async () => {
    const counter = `import { useState } from "react";\nexport default function Counter(): JSX.Element {\n  const [count, setCount] = useState<number>(0);\n  return <button onClick={() => setCount(count + 1)}>Count {count}</button>;\n}`;
    const page = await openAnswers([block("tsx", counter), block("jsx", "function Broken( { return <p>}")]);
    await openPreview(page);
    await panel(page)
      .getByText(/The code cannot be read: .*1:/)
      .waitFor();
    await panel(page).getByRole("button", { name: "Older version" }).click();
    await stage(page).getByRole("button", { name: "Count 0" }).click();
    await stage(page).getByRole("button", { name: "Count 1" }).waitFor();
    await expect.poll(() => stage(page).getByRole("button").count()).toBe(1);
    expect(await violationsInside(page, inside)).toEqual([]);
  });

  it("of a diagram is a picture in the colours of the page, with its source a click away; a wrong one says why", async () => {
    const page = await openAnswers(
      [
        `${block("mermaid", "flowchart LR\n  A[Harbour] --> B[Lighthouse]")}\n${block("mermaid", "flowchart LR\n A --> --> B[")}`,
      ],
      { theme: "dark" },
    );
    const picture = page.getByRole("group", { name: "Diagram" }).getByRole("img");
    await picture.waitFor();
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth))
      .toBeGreaterThan(100);
    await expect.poll(() => picture.getAttribute("alt")).toContain("Harbour");
    await page.getByText("The diagram cannot be drawn").waitFor();
    const source = page.locator("pre").filter({ hasText: "Harbour" });
    await expect.poll(() => source.isVisible()).toBe(false);
    await page.getByRole("button", { name: "Show the source" }).click();
    await source.waitFor();
    expect(await findViolations(page)).toEqual([]);
    // A phone has the picture in its width.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("button", { name: "Show the picture" }).click();
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });

  it("of a table sorts, turns pages and draws a plot, on a phone too", async () => {
    const rows = Array.from({ length: 250 }, (_, at) => `"Ship, ${at + 1}",${(at * 7) % 250}`).join("\n");
    const page = await openAnswers([block("csv", `name,load\n${rows}`)], { size: "phone" });
    await page.getByRole("link", { name: "Table and plot" }).click();
    await panel(page).getByText("250 rows").waitFor();
    const cell = panel(page).getByRole("region", { name: "Rows of the table" }).locator("tbody td").first();
    await expect.poll(() => cell.textContent()).toBe("Ship, 1");
    await panel(page).getByRole("button", { name: "load: sort upwards" }).click();
    await panel(page).getByRole("button", { name: "load: sort downwards" }).click();
    await expect.poll(() => cell.textContent()).toBe("Ship, 108");
    await panel(page).getByRole("button", { name: "Next page" }).click();
    await panel(page).getByText("Page 2 of 3").waitFor();
    await panel(page).getByRole("img", { name: "load by name" }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await findViolations(page, ["color-contrast"])).toEqual([]);
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await page.goBack();
    await panel(page).waitFor({ state: "detached" });
  });
});

describe("code that is run", () => {
  it("in Python shows its output, its error with the line, and its files, which can be kept; on a phone too", async () => {
    const python = `import time\nprint("begun")\nopen("chart.svg", "w").write("<svg xmlns='http://www.w3.org/2000/svg' width='40' height='20'><rect width='40' height='20'/></svg>")\nprint(undefined)`;
    const page = await openAnswers([block("python", python)], { size: "phone" });
    await page.getByRole("button", { name: "Run this code (python)" }).click();
    await page.getByText("Line 4: NameError: name 'undefined' is not defined").waitFor();
    await page.getByRole("log", { name: "Output of the code" }).getByText("begun").waitFor();
    await page.getByRole("img", { name: "chart.svg" }).waitFor();
    await page.getByRole("button", { name: "Keep chart.svg in my files" }).click();
    await page.getByText("Kept", { exact: true }).waitFor();
    const { items } = await callApi<{ items: { filename: string }[] }>(parley.url, token, "GET", "/api/v1/files/own");
    expect(items.map(({ filename }) => filename)).toContain("chart.svg");
    expect(await findViolations(page)).toEqual([]);
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });

  it("in JavaScript prints, gives its value, and an endless loop is stopped by the person", async () => {
    const page = await openAnswers([
      `${block("js", 'console.log("ahoy", { a: 1 });\n[1, 2].map((n) => n * 2)')}\n${block("js", "let n = 0;\nnull.x")}\n${block("javascript", "for (;;);")}`,
    ]);
    const runs = page.getByRole("button", { name: /^Run this code/ });
    await runs.first().click();
    await page.getByText("ahoy").last().waitFor();
    await page.locator(".result").getByText("2").waitFor();
    await runs.first().click();
    await page.getByText(/^Line 2: TypeError/).waitFor();
    await runs.first().click();
    await page.getByText("The code is running").waitFor();
    await page.getByRole("textbox", { name: "Message", exact: true }).fill("The chat goes on");
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await page.getByText("Stopped", { exact: true }).waitFor();
    expect(page.frames().some((frame) => frame.url().endsWith("/frames/run"))).toBe(false);
  });

  it("is allowed to models by a switch in the message field, which is off at first", async () => {
    const page = await openAnswers(["Nothing"]);
    await page.getByRole("button", { name: /^Tools/ }).click();
    const toggle = page.getByRole("switch", { name: "Run code" });
    await expect.poll(() => toggle.isChecked()).toBe(false);
    await toggle.click();
    await page.keyboard.press("Escape");
    const sent = page.waitForRequest("**/api/chat/completions");
    await page.getByRole("textbox", { name: "Message", exact: true }).fill("Hello");
    await page.keyboard.press("Control+Enter");
    expect((await sent).postDataJSON()).toMatchObject({ features: { code_interpreter: true } });
  });
});

describe("what a page of a model tries", () => {
  it("to reach the network in any of the known ways reaches nobody", async () => {
    const { page, told } = await runInPreview(networkAttack(stranger, parley.url));
    const { elements, ...rest } = told;
    expect(elements).toBe("0");
    expect(Object.entries(rest).filter(([, outcome]) => outcome !== "refused")).toEqual([]);
    expect(Object.keys(rest)).toHaveLength(15);
    await page.waitForTimeout(1000);
    expect(reached).toEqual([]);
    // The person is still where they were.
    expect(page.url()).toContain(`${parley.url}/c/`);
    expect(page.context().pages()).toHaveLength(1);
  });

  it("to get back what was taken away, by another document or realm, fails", async () => {
    const { told } = await runInPreview(realmAttack);
    expect(Object.entries(told).filter(([, outcome]) => outcome !== "nothing")).toEqual([]);
    expect(Object.keys(told)).toHaveLength(18);
  });

  it("to reach Parley, its storage or the person's eye is refused", async () => {
    const { page, told } = await runInPreview(reachAttack);
    const { origin, ...rest } = told;
    expect(origin).toBe("null");
    expect(Object.entries(rest).filter(([, outcome]) => outcome !== "refused")).toEqual([]);
    expect(page.url()).toContain(`${parley.url}/c/`);
  });

  it("to look like Parley stays in its border: it covers neither the field nor the panel's own tools", async () => {
    const page = await openAnswers([
      block(
        "html",
        '<body style="margin:0"><div style="position:fixed;inset:-2000px;z-index:2147483647;background:red">Sign in again</div></body>',
      ),
    ]);
    await openPreview(page);
    await stage(page).getByText("Sign in again").waitFor();
    const box = (await page.locator('iframe[src$="/frames/preview"]').boundingBox())!;
    const hit = (name: string, role: "button" | "textbox") => page.getByRole(role, { name }).first().boundingBox();
    for (const other of [
      await hit("Message", "textbox"),
      await hit("Close the panel", "button"),
      await hit("Fill the window", "button"),
    ]) {
      expect(other).not.toBeNull();
      const apart =
        other!.x + other!.width <= box.x || other!.y + other!.height <= box.y || other!.y >= box.y + box.height;
      expect(apart).toBe(true);
    }
    await panel(page).getByText("Written by the model").waitFor();
    await expect
      .poll(() => page.locator(".stage").evaluate((element) => getComputedStyle(element).borderTopWidth))
      .toBe("2px");
  });

  it("to keep the processor or the page busy does not stop the chat, and can be stopped", async () => {
    const page = await openAnswers([
      block("html", "<h1>Mine</h1><script>onmousedown = () => setTimeout(() => { for (;;); }, 1000)</script>"),
    ]);
    await openPreview(page);
    await stage(page).getByRole("heading", { name: "Mine" }).waitFor();
    // Not by the frame's own locator, which would wait for the frame again.
    const { x, y } = (await page.locator("iframe").boundingBox())!;
    await page.mouse.click(x + 20, y + 20);
    const slowest = await page.evaluate(async () => {
      let worst = 0;
      for (let at = 0; at < 40; at++) {
        const begin = performance.now();
        await new Promise((resolve) => setTimeout(resolve, 25));
        worst = Math.max(worst, performance.now() - begin);
      }
      return worst;
    });
    console.log(`the chat beside an endless loop: at most ${slowest.toFixed(0)} ms without a turn`);
    expect(slowest).toBeLessThan(5000);
    await page.getByRole("textbox", { name: "Message", exact: true }).fill("The chat goes on");
    await panel(page).getByText("does not respond").waitFor();
    await panel(page).getByRole("alert").getByRole("button", { name: "Stop" }).click();
    await panel(page).getByText("The preview is stopped.").waitFor();
    expect(page.frames().some((frame) => frame.url().endsWith("/frames/preview"))).toBe(false);
  });

  it("to eat memory ends its own process, and the chat's goes on", async () => {
    const eater = "const eaten = []; for (;;) eaten.push(new Array(1e6).fill(eaten.length + 0.5));";
    const page = await openAnswers([
      block("html", `<h1>Mine</h1><script>setTimeout(() => { ${eater} }, 300)</script>`),
    ]);
    // The page counts as crashed here with any of its frames, so another tab listens for its pulse.
    const other = await browser.openPage({ baseURL: parley.url, context: page.context() });
    await other.goto("/");
    await other.evaluate(() =>
      addEventListener("storage", ({ key }) => key === "pulse" && document.body.append(document.createElement("s"))),
    );
    await page.evaluate(() => void setInterval(() => localStorage.setItem("pulse", `${performance.now()}`), 50));
    const ended = page.waitForEvent("crash");
    await openPreview(page);
    await ended;
    const beats = other.locator("body > s");
    await beats.nth((await beats.count()) + 5).waitFor({ state: "attached" });
    await expect.poll(() => beats.count()).toBeGreaterThan(5);
  });

  it("to mine, in slices that nobody notices, ends with its panel", async () => {
    const miner =
      "let sum = 0; setInterval(() => { const end = performance.now() + 90; while (performance.now() < end) sum = Math.imul(sum + 1, 31); console.log('mined'); }, 100)";
    const page = await openAnswers([block("html", `<h1>Mine</h1><script>${miner}</script>`)]);
    await openPreview(page);
    await printed(page, "mined");
    await page.getByRole("button", { name: "Close the panel" }).click();
    await expect.poll(() => page.frames().some((frame) => frame.url().endsWith("/frames/preview"))).toBe(false);
  });

  it("to flood the page with messages ends it", async () => {
    const page = await openAnswers([
      block(
        "html",
        "<script>setInterval(() => { for (let i = 0; i < 500; i++) parent.postMessage({ kind: 'console', level: 'log', text: 'x' }, '*'); })</script>",
      ),
    ]);
    await openPreview(page);
    await panel(page).getByText("sent too many messages").waitFor();
    await page.getByRole("textbox", { name: "Message", exact: true }).fill("The chat goes on");
    await panel(page).getByRole("button", { name: "Start again" }).last().waitFor();
    expect(page.frames().some((frame) => frame.url().endsWith("/frames/preview"))).toBe(false);
  });

  it("is a stranger even to somebody who opens its frame as a page", async () => {
    const page = await openAnswers(["Nothing"]);
    for (const address of ["/frames/preview", "/frames/run", "/frames/diagram"]) {
      const response = await page.goto(address);
      const policy = response?.headers()["content-security-policy"] ?? "";
      expect(policy).toMatch(/^sandbox allow-scripts; default-src 'none'/);
      expect(policy).not.toContain("connect-src");
      expect(await page.evaluate(() => origin)).toBe("null");
    }
  });
});
