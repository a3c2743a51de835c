import { crc32, deflateSync } from "node:zlib";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  answers,
  answerText,
  call,
  chooseModel,
  type ChatWorld,
  composer,
  openChatWorld,
  questions,
  send,
} from "./chat-world.ts";
import { attach } from "./documents-world.ts";
import { findViolations } from "./find-violations.ts";

let world: ChatWorld;
let admin: Page;
beforeAll(async () => {
  world = await openChatWorld();
  admin = await world.browser.openPage({ baseURL: world.parley.url });
  await asAdmin("POST", "/api/v1/auths/signin", { email: world.adminEmail, password: "correct horse" });
});
afterAll(() => world?.close());

const asAdmin = (method: string, path: string, data?: unknown) =>
  call(admin.context(), world.parley.url, method, path, data);

const pages: Page[] = [];
async function openChat(options?: Parameters<ChatWorld["openChat"]>[0]): Promise<Page> {
  const page = await world.openChat(options);
  pages.push(page);
  return page;
}
afterEach(async () => {
  for (const page of pages.splice(0)) await page.context().close();
});

const last = (page: Page, state = "done") =>
  answers(page)
    .last()
    .and(page.locator(`[data-state="${state}"]`));
const note = (page: Page) => page.getByText("This chat is not saved");
const chatsOf = (page: Page) => call(page.context(), world.parley.url, "GET", "/api/v1/chats/");
const asked = () => world.upstream.requests.filter(({ body }) => body?.["stream"] === true).map(({ body }) => body!);

async function begin(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Temporary chat" }).click();
  await page.waitForURL("**/temporary");
  await note(page).waitFor();
}

describe("a temporary chat", () => {
  it("is answered, goes on with what was said, and is kept nowhere", async () => {
    const page = await openChat();
    await begin(page);
    await send(page, "What is the capital of France?");
    await last(page).getByText(answerText).waitFor();
    await send(page, "And of Spain?");
    await answers(page).nth(1).and(page.locator('[data-state="done"]')).waitFor();
    expect(asked().at(-1)!["messages"]).toMatchObject([
      { role: "user", content: "What is the capital of France?" },
      { role: "assistant", content: expect.stringContaining(answerText) },
      { role: "user", content: "And of Spain?" },
    ]);
    await last(page).getByRole("button", { name: "Tokens and time" }).waitFor();
    await expect.poll(() => chatsOf(page)).toEqual([]);
    await expect.poll(() => page.title()).toContain("Temporary chat");

    // The person's own instructions count here too.
    await call(page.context(), world.parley.url, "POST", "/api/v1/users/user/settings/update", {
      ui: { system: "Answer in Danish." },
    });
    await send(page, "And of Italy?");
    await answers(page).nth(2).and(page.locator('[data-state="done"]')).waitFor();
    expect(asked().at(-1)!["messages"]).toMatchObject([
      { role: "system", content: "Answer in Danish." },
      {},
      {},
      {},
      {},
      {},
    ]);

    // What was left is there again with Back, and only with it.
    await page.getByRole("link", { name: "Knowledge" }).click();
    await page.getByRole("heading", { name: "Knowledge" }).first().waitFor();
    await page.goBack();
    await answers(page).nth(2).getByText(answerText).waitFor();
    await page.reload();
    await note(page).waitFor();
    await expect.poll(() => answers(page).count()).toBe(0);
  });

  it("is stopped, goes on, and is answered again", async () => {
    const page = await openChat();
    await begin(page);
    const hold = world.upstream.holdAfter(4);
    const exchange = world.upstream.nextRequest();
    await send(page, "Hello");
    await hold.reached;
    await answers(page).getByText(/\S/u).first().waitFor();
    await page.getByRole("button", { name: "Stop the answer" }).click();
    await last(page, "stopped").getByText("You stopped this answer").waitFor();
    // The provider is let go.
    const request = await exchange;
    await request.over;
    expect(request.aborted).toBe(true);
    hold.release();
    await page.getByRole("button", { name: "Try again" }).click();
    await last(page).getByText(answerText).waitFor();
    await last(page).getByRole("group", { name: "Version 2 of 2" }).waitFor();
  });

  it("says why an answer failed", async () => {
    const page = await openChat();
    await begin(page);
    await chooseModel(page, "fault-429");
    await send(page, "Hello");
    await last(page, "error").getByText("The answer failed.").waitFor();
    await chooseModel(page, "fault-cut");
    await send(page, "Hello");
    await answers(page).nth(1).and(page.locator('[data-state="error"]')).waitFor();
    await expect.poll(() => answers(page).nth(1).innerText()).toContain("The text so far is kept.");
  });

  it("compares models, and becomes a chat like any other when it is kept", async () => {
    const page = await openChat();
    await begin(page);
    await page.getByRole("button", { name: /^Model:/ }).click();
    await page.getByRole("button", { name: "Compare several models" }).click();
    await page.getByRole("option").filter({ hasText: "deepseek" }).click();
    await page.getByRole("button", { name: "Compare 2 models" }).click();
    await send(page, "What is the capital of France?");
    await expect.poll(() => answers(page).and(page.locator('[data-state="done"]')).count()).toBe(2);
    await page.getByRole("button", { name: "Save chat" }).click();
    await page.waitForURL(/\/c\//);
    await page.reload();
    await expect.poll(() => answers(page).and(page.locator('[data-state="done"]')).count()).toBe(2);
    await expect.poll(() => page.locator("details.reasoning").count()).toBe(1);
    await expect.poll(() => chatsOf(page)).toMatchObject([{ title: "What is the capital of France?" }]);
    await send(page, "And of Spain?");
    await expect.poll(() => answers(page).and(page.locator('[data-state="done"]')).count()).toBe(4);
  });

  it("is discarded", async () => {
    const page = await openChat({ size: "phone" });
    await begin(page);
    await send(page, "Hello");
    await last(page).waitFor();
    await page.getByRole("button", { name: "Discard and start over" }).click();
    await page.getByRole("button", { name: "Discard chat" }).click();
    await page.getByRole("heading", { name: "What would you like to ask?" }).waitFor();
    await expect.poll(() => answers(page).count()).toBe(0);
    await page.getByRole("button", { name: "Normal chat" }).click();
    await page.getByRole("heading", { name: "What is on your mind" }).waitFor();
    await expect.poll(() => note(page).count()).toBe(0);
  });

  it.each([
    ["desktop", "light"],
    ["phone", "dark"],
  ] as const)("is accessible: %s, %s", async (size, theme) => {
    const page = await openChat({ size, theme });
    await begin(page);
    expect(await findViolations(page)).toEqual([]);
    await send(page, "Hello");
    await last(page).waitFor();
    expect(await findViolations(page)).toEqual([]);
  });
});

describe("people who may only have temporary chats", () => {
  it("have them everywhere, and cannot keep them; people who may have none have no way there", async () => {
    const set = (chat: object) => asAdmin("POST", "/api/v1/users/default/permissions", { chat });
    const all = { temporary: true, multiple_models: true, params: true, system_prompt: true };
    await set({ ...all, temporary_enforced: true });
    const page = await openChat();
    await page.getByText("Chats in your account are not saved").waitFor();
    await send(page, "Hello");
    await last(page).getByText(answerText).waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Save chat" }).count()).toBe(0);
    await expect.poll(() => chatsOf(page)).toEqual([]);

    await set({ ...all, temporary: false, temporary_enforced: false });
    const other = await openChat();
    await other.getByRole("heading", { name: "What is on your mind" }).waitFor();
    await expect.poll(() => other.getByRole("button", { name: "Temporary chat" }).count()).toBe(0);
    await set({ ...all, temporary_enforced: false });
  });
});

/** A small picture with all of its parts. */
function png(): Buffer {
  const part = (name: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const [width, height] = [48, 32];
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2], 8);
  const rows = Array.from({ length: height }, (_, y) => [
    0,
    ...Array.from({ length: width * 3 }, (__, x) => (x + y * 5) % 256),
  ]);
  const start = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  const data = deflateSync(Buffer.from(rows.flat()));
  return Buffer.concat([start, part("IHDR", head), part("IDAT", data), part("IEND", Buffer.alloc(0))]);
}

describe("pictures", () => {
  const card = (page: Page) => page.locator('[data-attachment="quay.png"]');
  const isDrawn = (image: HTMLImageElement): boolean => image.complete && image.naturalWidth === 48;

  it("are shown before and after they are sent, also after the page is loaded again", async () => {
    const page = await openChat();
    await attach(page, { name: "quay.png", mimeType: "image/png", buffer: png() });
    await card(page).getByText("Picture", { exact: true }).waitFor();
    await expect.poll(() => card(page).locator("img").evaluate(isDrawn)).toBe(true);
    await page.reload();
    await card(page).getByText("Picture", { exact: true }).waitFor();
    await expect.poll(() => card(page).locator("img").evaluate(isDrawn)).toBe(true);
    await send(page, "What is this?");
    await last(page).waitFor();
    const picture = { type: "image_url", image_url: { url: expect.stringMatching(/^data:image\/png;base64,/u) } };
    const question = { role: "user", content: [{ type: "text", text: "What is this?" }, picture] };
    expect(asked().at(-1)!["messages"]).toMatchObject([question]);
    const sent = questions(page).getByRole("img", { name: "quay.png" });
    await expect.poll(() => sent.evaluate(isDrawn)).toBe(true);
    await expect.poll(() => card(page).count()).toBe(0);
  });

  it("come by paste, and a model that cannot see them says so before they are sent", async () => {
    await asAdmin("POST", "/api/v1/models/create", {
      id: "reader",
      name: "Reader",
      base_model_id: "openai",
      params: {},
      meta: { capabilities: { vision: false } },
      access_grants: [{ principal_type: "user", principal_id: "*", permission: "read" }],
    });
    const page = await openChat();
    await chooseModel(page, "openai");
    await composer(page).evaluate(
      (field, bytes) => {
        const data = new DataTransfer();
        data.items.add(new File([new Uint8Array(bytes)], "quay.png", { type: "image/png" }));
        field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
      },
      [...png()],
    );
    await card(page).getByText("Picture", { exact: true }).waitFor();
    const warning = page.getByText("Reader can't see pictures");
    await expect.poll(() => warning.count()).toBe(0);
    await chooseModel(page, "Reader");
    await warning.waitFor();
    expect(await findViolations(page)).toEqual([]);
    await send(page, "What is this?");
    await last(page).waitFor();
    expect(JSON.stringify(asked().at(-1))).not.toContain("data:image");
  });

  it("are seen in temporary chats too, with each further question", async () => {
    const page = await openChat();
    await begin(page);
    await chooseModel(page, "openai");
    await attach(page, { name: "quay.png", mimeType: "image/png", buffer: png() });
    await page.getByText("Files that you attach are kept.").waitFor();
    await send(page, "What is this?");
    await last(page).waitFor();
    await send(page, "And that?");
    await answers(page).nth(1).and(page.locator('[data-state="done"]')).waitFor();
    const { content } = (asked().at(-1)!["messages"] as { content: unknown }[])[0]!;
    expect(content).toMatchObject([
      { type: "text", text: "What is this?" },
      { type: "image_url", image_url: { url: expect.stringMatching(/^data:image\/png;base64,/u) } },
    ]);
    expect(asked().at(-1)!["messages"]).toHaveLength(3);
  });
});
