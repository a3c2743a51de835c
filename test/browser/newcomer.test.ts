import { afterAll, beforeAll, expect, test } from "vitest";
import { type ReplayServer, startReplayServer } from "../fixtures/upstreams/replay-server.ts";
import { type Parley, startParley } from "../stack/start-parley.ts";
import { ada, fillSignUp } from "./accounts.ts";
import { answers, answerText, composer, send } from "./chat-world.ts";
import { openBrowser, type TestBrowser } from "./open-browser.ts";

let parley: Parley;
let browser: TestBrowser;
let upstream: ReplayServer;
beforeAll(async () => {
  [parley, browser, upstream] = await Promise.all([
    startParley(),
    openBrowser(),
    startReplayServer({ fixtures: ["openai"] }),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await Promise.all([parley?.stop(), upstream?.close()]);
});

test("a newcomer signs up, asks the guide, connects a model, chats, leaves in the middle and finds the whole answer", async () => {
  const page = await browser.openPage({ baseURL: parley.url });
  await page.goto("/");
  await page.getByRole("heading", { level: 1, name: "Create the first account" }).waitFor();
  await page.getByText("It becomes the administrator account.").waitFor();
  await fillSignUp(page, ada);
  await page.getByText("No model is connected yet.").waitFor();
  expect(new URL(page.url()).pathname).toBe("/");
  await page.getByRole("button", { name: "How do I connect a model?" }).click();
  await page.getByRole("button", { name: "Send" }).click();
  await answers(page).and(page.locator('[data-state="done"]')).waitFor();
  await expect.poll(() => answers(page).innerText()).toMatch(/connect/i);

  await page.getByRole("navigation").getByRole("link", { name: "New chat", exact: true }).click();
  await page.getByRole("link", { name: "Connect a model", exact: true }).click();
  // An address with a mistake is kept, and its reason; once it is mended, the way goes on as if it had been right.
  await page.getByLabel("Address", { exact: true }).fill("http://127.0.0.1:1/v1");
  await page.getByRole("button", { name: "Save connection" }).click();
  await page.getByText("127.0.0.1:1 is saved but isn't responding.").waitFor();
  await page.getByRole("link", { name: "Edit the connection" }).click();
  await page.getByLabel("Address", { exact: true }).fill(upstream.url);
  await page.getByRole("button", { name: "Save connection" }).click();
  await page.getByText(`${new URL(upstream.url).host} works:`).waitFor();
  // The page says that it works, never that nobody has checked, and leads on.
  await page.getByText(/works: \d+ models? (is|are) ready/).waitFor();
  await expect.poll(() => page.getByText("Not checked yet").count()).toBe(0);
  await page.getByRole("link", { name: "Start a chat" }).click();
  await page.getByRole("button", { name: "Model: openai" }).waitFor();
  await expect.poll(() => page.getByText("No model is connected yet.").count()).toBe(0);
  const hold = upstream.holdAfter(6);
  await send(page, "What is the capital of France?");
  await hold.reached;
  await answers(page).getByText("Paris").waitFor();
  await page.waitForURL(/\/c\//);
  const address = page.url();
  const context = page.context();
  await page.close();
  hold.release();

  const back = await context.newPage();
  await back.goto("/");
  await composer(back).waitFor();
  await back
    .getByRole("navigation")
    .locator(`a[href="${new URL(address).pathname}"]`)
    .click();
  await answers(back).and(back.locator('[data-state="done"]')).waitFor();
  await expect.poll(() => answers(back).innerText()).toContain(answerText);
});
