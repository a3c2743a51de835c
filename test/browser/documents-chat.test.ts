import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { answers, composer, questions, send } from "./chat-world.ts";
import { attach, attached, type DocumentsWorld, openDocumentsWorld, type TestFile } from "./documents-world.ts";
import { makePdf, makeTimetable } from "./make-pdf.ts";

let world: DocumentsWorld;
let timetable: TestFile;
const text = (name: string, content: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from(content) });
beforeAll(async () => {
  [world, timetable] = await Promise.all([
    openDocumentsWorld(),
    makeTimetable(7).then((buffer) => ({ name: "timetable.pdf", mimeType: "application/pdf", buffer })),
  ]);
});
afterAll(() => world?.close());

const pages: Page[] = [];
async function openChat(options?: Parameters<DocumentsWorld["openChat"]>[0]): Promise<Page> {
  const page = await world.openChat(options);
  pages.push(page);
  return page;
}
afterEach(async () => {
  for (const page of pages.splice(0)) await page.context().close();
});

const ready = (page: Page, name: string) => page.locator(`[data-attachment="${name}"][data-status="completed"]`);
const done = (page: Page) => answers(page).last().and(page.locator('[data-state="done"]'));

describe.each(["desktop", "phone"] as const)("a PDF on a %s", (size) => {
  it("is uploaded with progress, read, asked about, and the citation opens its page", async () => {
    const page = await openChat({ size });
    const requested: string[] = [];
    page.on("request", (request) => requested.push(new URL(request.url()).pathname));
    // What the card said on its way, also what nobody could look at in time.
    await page.evaluate(() => {
      const said: string[] = [];
      new MutationObserver(() => {
        const now = document.querySelector("[data-attachment] .says")?.textContent ?? "";
        if (now !== said.at(-1)) said.push(now);
      }).observe(document, { subtree: true, childList: true, characterData: true });
      Object.assign(globalThis, { said });
    });
    await attach(page, timetable);
    await ready(page, "timetable.pdf").waitFor();
    const said = await page.evaluate(() => (globalThis as unknown as { said: string[] }).said);
    expect(said.at(-1)).toBe("Ready");
    expect(said.some((words) => /^(?:Uploading|Uploaded|Waiting|Reading)/u.test(words))).toBe(true);

    await send(page, "When does the last ferry leave on Sundays?");
    await done(page).waitFor();
    await expect
      .poll(() => questions(page).getByRole("list", { name: "Files" }).innerText())
      .toContain("timetable.pdf");
    await expect.poll(() => attached(page).count()).toBe(0);
    const answer = answers(page).last();
    const cite = answer.locator(".markdown").getByRole("link");
    // The one in the code and the number that stands for nothing are no links.
    await expect.poll(() => cite.count()).toBe(1);
    await expect.poll(() => cite.getAttribute("aria-label")).toMatch(/^Source \d+: timetable\.pdf, Page 7$/u);
    expect(requested.filter((path) => /pdf-worker|PdfView/u.test(path))).toEqual([]);

    await cite.click();
    const panel = page.getByRole("complementary", { name: /^Source \d+$/u });
    await panel.getByRole("region", { name: "The passage" }).getByText("21:40").waitFor();
    await panel.getByText("Page 7 of 12").waitFor();
    const marked = panel.locator('[data-page="7"] .marked').filter({ hasText: "21:40" });
    await marked.waitFor();
    const inView = await marked.evaluate((mark) => {
      const at = mark.getBoundingClientRect();
      const frame = mark.closest("[role=region]")!.getBoundingClientRect();
      return at.top >= frame.top && at.bottom <= frame.bottom;
    });
    expect(inView).toBe(true);
    // The page is painted: the words are darker than the paper.
    const ink = await panel.locator('[data-page="7"] canvas').evaluate((canvas: HTMLCanvasElement) => {
      const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
      return data.filter((value, index) => index % 4 === 0 && value < 100).length;
    });
    expect(ink).toBeGreaterThan(500);

    await page.reload();
    await page.getByRole("complementary").getByText("Page 7 of 12").waitFor();
    await page.goBack();
    await page.getByRole("complementary").waitFor({ state: "detached" });
    await done(page).getByText("21:40").first().waitFor();
  });
});

describe("files", () => {
  it("come by drop and paste, and what is taken away is deleted", async () => {
    const page = await openChat();
    const transfer = await page.evaluateHandle(() => {
      const data = new DataTransfer();
      data.items.add(new File(["The north quay is closed."], "notice.txt", { type: "text/plain" }));
      return data;
    });
    await page.locator("main").dispatchEvent("dragenter", { dataTransfer: transfer });
    await page.getByText("Drop files here to attach them").waitFor();
    await page.locator("main").dispatchEvent("drop", { dataTransfer: transfer });
    await ready(page, "notice.txt").waitFor();
    await page.getByText("Drop files here").waitFor({ state: "detached" });

    await composer(page).evaluate((field) => {
      const data = new DataTransfer();
      data.items.add(new File(["Berths"], "berths.md", { type: "text/markdown" }));
      field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    });
    await ready(page, "berths.md").waitFor();
    const id = (await page.locator('[data-attachment="berths.md"] a').getAttribute("href"))!.split("file=")[1]!;
    const deleted = page.waitForResponse((response) => response.request().method() === "DELETE");
    await page.getByRole("button", { name: "Remove berths.md" }).click();
    expect((await deleted).ok()).toBe(true);
    const after = await page.context().request.get(`${world.parley.url}/api/v1/files/${id}`);
    expect(after.status()).toBe(404);
    await expect.poll(() => attached(page).count()).toBe(1);
  });

  it("stay with the draft of their chat over a reload, and go to no other chat", async () => {
    const page = await openChat();
    await attach(page, text("draft.txt", "To be asked later"));
    await ready(page, "draft.txt").waitFor();
    await page.reload();
    await ready(page, "draft.txt").waitFor();
    await send(page, "What is this?");
    await done(page).waitFor();
    await page.getByRole("link", { name: "New chat" }).first().click();
    await page.getByRole("heading", { name: "What is on your mind" }).waitFor();
    await expect.poll(() => attached(page).count()).toBe(0);
    await page.reload();
    await composer(page).waitFor();
    await expect.poll(() => attached(page).count()).toBe(0);
  });

  it("say why they could not be read, and are shown as they are", async () => {
    const page = await openChat();
    const broken = Buffer.concat([Buffer.from("%PDF-1.7\n"), Buffer.alloc(3000, 7)]);
    await attach(page, { name: "broken.pdf", mimeType: "application/pdf", buffer: broken });
    const card = page.locator('[data-attachment="broken.pdf"][data-status="failed"]');
    await card.waitFor();
    await expect.poll(async () => (await card.locator(".says").innerText()).length).toBeGreaterThan(10);
    await page.locator('[data-attachment="broken.pdf"] a').click();
    const panel = page.getByRole("complementary", { name: "File" });
    await panel.getByText("The pages couldn't be shown").waitFor();
    await panel.getByRole("button", { name: "Close" }).click();
    await attach(page, text("empty.txt", ""));
    await page.locator(".toast").filter({ hasText: "empty.txt is empty" }).waitFor();
    await expect.poll(() => attached(page).count()).toBe(1);
  });

  it("are uploaded again after a failure, and the message waits for them", async () => {
    const page = await openChat();
    const uploads = "**/api/v1/files/";
    await page.route(uploads, (route) =>
      route.fulfill({ status: 503, json: { detail: "The disk is full", code: "x" } }),
    );
    await attach(page, text("late.txt", "The ferry is late"));
    const card = page.locator('[data-attachment="late.txt"]');
    await card.getByText("The disk is full").waitFor();
    await send(page, "Is it late?");
    await page.getByRole("alert").filter({ hasText: "couldn't be uploaded" }).waitFor();
    await expect.poll(() => questions(page).count()).toBe(0);

    await page.unroute(uploads);
    let go = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      go = resolve;
    });
    await page.route(uploads, async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole("button", { name: "Retry late.txt" }).click();
    await composer(page).press("Control+Enter");
    await page.getByText("The message is sent when all uploads are done").waitFor();
    await page.getByRole("button", { name: "Don't send yet" }).click();
    await page.getByText("The message is sent when all uploads are done").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("The message is sent when all uploads are done").waitFor();
    go();
    await done(page).waitFor();
    await expect.poll(() => questions(page).getByRole("list", { name: "Files" }).innerText()).toContain("late.txt");
  });

  it("that are large go in parts, and each part that breaks is sent again", async () => {
    const page = await openChat();
    const parts: string[] = [];
    page.on("request", (request) => {
      const part = /\/uploads\/[^/]+\/parts\/(\d+)$/u.exec(request.url())?.[1];
      if (part !== undefined) parts.push(part);
    });
    await page.route("**/uploads/*/parts/2", (route) => route.fulfill({ status: 502, json: {} }), { times: 1 });
    const folder = mkdtempSync(path.join(tmpdir(), "parley-film-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(path.join(folder, "film.bin"), Buffer.alloc(34 << 20, 1));
    await attach(page, path.join(folder, "film.bin"));
    const card = page.locator('[data-attachment="film.bin"][data-upload="done"]');
    await card.waitFor();
    expect(parts.length).toBeGreaterThan(2);
    expect(parts.filter((part, index) => part === parts[index - 1])).toEqual(["2"]);
    const id = (await card.getByRole("link").getAttribute("href"))!.split("file=")[1]!;
    const file = await world.api<{ meta: { size: number } }>(page.context(), "GET", `/api/v1/files/${id}`);
    expect(file.meta.size).toBe(34 << 20);
  });

  it("stay with a message that is edited, and come back with one that was not sent", async () => {
    const page = await openChat();
    await attach(page, text("rules.txt", "Dogs are allowed on the ferry. The last one leaves at 21:40."));
    await ready(page, "rules.txt").waitFor();
    await send(page, "When does the last ferry leave?");
    await done(page).waitFor();
    await questions(page).getByRole("button", { name: "Edit" }).click();
    await page.getByRole("textbox", { name: "Edit your message" }).fill("And when does the last one leave?");
    await page.getByRole("textbox", { name: "Edit your message" }).press("Control+Enter");
    await questions(page).getByText("And when does the last one leave?").waitFor();
    await done(page).getByText("21:40").first().waitFor();
    await expect.poll(() => questions(page).getByRole("list", { name: "Files" }).innerText()).toContain("rules.txt");

    await attach(page, text("more.txt", "More"));
    await ready(page, "more.txt").waitFor();
    await page.route("**/api/chat/completions", (route) => route.fulfill({ status: 503, json: { detail: "Not now" } }));
    await send(page, "And now?");
    await page.getByRole("button", { name: "Move it back to the message field" }).click();
    await ready(page, "more.txt").waitFor();
    await expect.poll(() => composer(page).inputValue()).toBe("And now?");
  });
});

describe("a # in the field", () => {
  it("finds bases and files; what is chosen is searched for the answer and cited", async () => {
    const page = await openChat();
    const context = page.context();
    await world.upload(context, "harbour-notes.txt", "text/plain", Buffer.from("Buoys are red."));
    const id = await world.upload(context, "times.txt", "text/plain", Buffer.from("The last ferry leaves at 21:40."));
    const base = await world.api<{ id: string }>(context, "POST", "/api/v1/knowledge/create", {
      name: "Harbour handbook",
      description: "All that the pilots know",
    });
    await world.api(context, "POST", `/api/v1/knowledge/${base.id}/file/add`, { file_id: id });

    await composer(page).pressSequentially("When #harb");
    const list = page.getByRole("listbox", { name: "Knowledge and files" });
    await list.getByRole("option").nth(1).waitFor();
    await expect
      .poll(() => list.getByRole("group", { name: "Knowledge" }).getByRole("option").allInnerTexts())
      .toEqual([expect.stringContaining("Harbour handbook")]);
    await expect.poll(() => list.getByRole("group", { name: "Files" }).innerText()).toContain("harbour-notes.txt");
    await composer(page).press("ArrowDown");
    await list.getByRole("option", { selected: true }).getByText("harbour-notes.txt").waitFor();
    await composer(page).press("ArrowDown");
    await list.getByRole("option", { selected: true }).getByText("Harbour handbook").waitFor();
    await composer(page).press("Enter");
    await attached(page).getByText("Harbour handbook").waitFor();
    await expect.poll(() => composer(page).inputValue()).toBe("When ");

    await composer(page).pressSequentially("does the last ferry leave? #ha");
    await list.waitFor();
    await composer(page).press("Escape");
    await list.waitFor({ state: "detached" });
    // A word that nothing fits to is a word.
    await composer(page).pressSequentially("zzz");
    await composer(page).press("Control+Enter");
    await done(page).waitFor();
    await expect.poll(() => questions(page).innerText()).toContain("#hazzz");
    await answers(page)
      .locator(".markdown")
      .getByRole("link", { name: /Source \d+: times\.txt/u })
      .click();
    const panel = page.getByRole("complementary", { name: /^Source/u });
    await panel.getByRole("region", { name: "Text of times.txt" }).locator("mark").getByText("21:40").waitFor();
  });

  it("names a base in which nothing fits: that is said", async () => {
    const page = await openChat();
    const context = page.context();
    const menu = await world.upload(context, "menu.txt", "text/plain", Buffer.from("Soup, bread, cheese"));
    const base = await world.api<{ id: string }>(context, "POST", "/api/v1/knowledge/create", { name: "Kitchen" });
    await world.api(context, "POST", `/api/v1/knowledge/${base.id}/file/add`, { file_id: menu });
    await composer(page).pressSequentially("#kit");
    await page.getByRole("option").getByText("Kitchen").click();
    await attached(page).getByText("Kitchen").waitFor();
    await send(page, "zeppelin");
    await done(page).waitFor();
    await answers(page).getByRole("status").getByText("Nothing found in Kitchen").waitFor();
    // A number without a source is no link.
    await expect.poll(() => answers(page).locator(".markdown").getByRole("link").count()).toBe(0);
  });

  it("can be begun by the button, and says when there is nothing", async () => {
    const page = await openChat({ size: "phone" });
    await page.getByRole("button", { name: "Attach files or knowledge" }).tap();
    await page.getByRole("menuitem", { name: /Knowledge or earlier files/u }).tap();
    await page.getByText("No knowledge or files yet").waitFor();
    await expect.poll(() => composer(page).inputValue()).toBe("#");
  });
});

describe("a source whose file is gone", () => {
  it("keeps the passage and says so", async () => {
    const page = await openChat();
    await attach(page, {
      name: "gone.pdf",
      mimeType: "application/pdf",
      buffer: await makePdf(["It leaves at 21:40."]),
    });
    await ready(page, "gone.pdf").waitFor();
    const id = (await page.locator('[data-attachment="gone.pdf"] a').getAttribute("href"))!.split("file=")[1]!;
    await send(page, "When does it leave?");
    await done(page).waitFor();
    await world.api(page.context(), "DELETE", `/api/v1/files/${id}`);
    await answers(page).locator(".markdown").getByRole("link").click();
    const panel = page.getByRole("complementary", { name: /^Source/u });
    await panel.getByText("The file no longer exists").waitFor();
    await expect
      .poll(() => panel.getByRole("region", { name: "The passage" }).innerText())
      .toContain("It leaves at 21:40");
  });
});

it("is shown without anything that the policy of the page forbids, and without an error", () => {
  expect(world.complaints).toEqual([]);
});
