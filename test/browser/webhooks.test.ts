import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type ReplayServer, startReplayServer } from "../fixtures/upstreams/replay-server.ts";
import { type Parley, startParley } from "../stack/start-parley.ts";
import { answers, type Receiver, startReceiver, verified } from "../webhooks/start-receiver.ts";
import { type Account, ada, callApi, newAccount, signInContext, signUpByApi } from "./accounts.ts";
import { answerText, ask, send } from "./chat-world.ts";
import { findViolations } from "./find-violations.ts";
import { openBrowser, type PageOptions, type TestBrowser } from "./open-browser.ts";
import { pressLink } from "./press-link.ts";

/** A person of each test. */
let bo: Account;
let parley: Parley;
let browser: TestBrowser;
let upstream: ReplayServer;
let receiver: Receiver;
let token: string;
let boToken: string;

beforeAll(async () => {
  [parley, browser, upstream, receiver] = await Promise.all([
    startParley({
      env: {
        DEFAULT_USER_ROLE: "user",
        ENABLE_TITLE_GENERATION: "false",
        OUTBOUND_ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
      },
    }),
    openBrowser(),
    startReplayServer({ fixtures: ["openai"] }),
    startReceiver(),
  ]);
  ({ token } = await signUpByApi(parley.url, ada));
  await callApi(parley.url, token, "POST", "/api/v1/connections", { name: "Replay", base_url: upstream.url });
});
beforeEach(async () => {
  bo = newAccount("Bo Ek");
  ({ token: boToken } = await signUpByApi(parley.url, bo));
});
afterAll(async () => {
  await browser.close();
  await Promise.all([parley.stop(), upstream.close(), receiver.close()]);
});

async function open(path: string, account = ada, options: PageOptions = {}): Promise<Page> {
  const page = await browser.openPage({ baseURL: parley.url, ...options });
  await signInContext(page, parley.url, account);
  await page.goto(path);
  await page.locator("main :is(h1, textarea)").first().waitFor();
  return page;
}

/** What was told of an event at this path, the oldest first. */
const told = (path: string, event: string) =>
  receiver.received
    .filter((received) => received.path === path)
    .map(({ body }) => JSON.parse(body) as { event: string; chat?: { id: string; last_message: string } })
    .filter((body) => body.event === event);

async function setAddress(page: Page, url: string): Promise<void> {
  await page.getByRole("textbox", { name: "Address" }).fill(url);
  await page.getByRole("button", { name: "Save" }).click();
  await page
    .getByText(url === "" ? "The address was removed." : "The webhook was changed.")
    .first()
    .waitFor();
}

const log = (page: Page) => page.getByRole("table", { name: "Deliveries" });

test("a person's webhook hears of a finished answer only after they have left the tab", async () => {
  const path = "/bo";
  const page = await open("/settings/notifications", bo);
  await page.getByText("Nothing has been sent yet. Set an address first.").waitFor();
  await setAddress(page, receiver.url.replace("/hook", path));
  await page.getByRole("button", { name: "Send a test" }).click();
  await page.getByText(/The test was accepted: 204/).waitFor();
  expect(told(path, "test")).toHaveLength(1);
  await log(page).getByRole("button", { name: "Test" }).waitFor();
  expect(await findViolations(page)).toEqual([]);

  // In view: what is finished is written down in the transaction that ends the answer, so now or never.
  await pressLink(page, "/");
  await ask(page, "What is the capital of France?");
  const listed = () =>
    callApi<{ deliveries: { state: string; event: string }[] }>(
      parley.url,
      boToken,
      "GET",
      "/api/v1/webhooks/own/deliveries?event=chat_response",
    );
  expect((await listed()).deliveries).toEqual([]);

  // Another one, which is still being written when the tab is closed.
  const hold = upstream.holdAfter(1);
  await pressLink(page, "/");
  await send(page, "And of Germany?");
  await hold.reached;
  await page.waitForURL(/\/c\//);
  const chatId = new URL(page.url()).pathname.slice("/c/".length);
  await page.context().close();
  // The tab counts until the service has noticed: a script's questions show when it has.
  const json = { chat: { title: "Probe" } };
  const { id: probe } = await callApi<{ id: string }>(parley.url, boToken, "POST", "/api/v1/chats/new", json);
  const asked = { model: "openai", chat_id: probe, messages: [{ role: "user", content: "Hello" }] };
  await expect
    .poll(
      async () => {
        await callApi(parley.url, boToken, "POST", "/api/chat/completions", asked);
        return told(path, "chat_response").length;
      },
      { timeout: 60_000, interval: 500 },
    )
    .toBeGreaterThan(0);
  hold.release();
  await expect
    .poll(() => told(path, "chat_response").find(({ chat }) => chat?.id === chatId))
    .toEqual({
      event: "chat_response",
      chat: { id: chatId, title: "And of Germany?", last_message: expect.stringContaining(answerText) },
    });

  const { secret } = await callApi<{ secret: string }>(parley.url, boToken, "GET", "/api/v1/webhooks/own/secret");
  for (const received of receiver.received.filter((each) => each.path === path))
    expect(verified(secret, received)).toMatchObject({ event: expect.stringMatching(/test|chat_response/) });
});

test("somebody who wants it always is told in view too; who may have none is told who can allow it", async () => {
  const path = "/always";
  const page = await open("/settings/notifications", bo, { size: "phone", theme: "dark" });
  await page.getByRole("textbox", { name: "Address" }).fill(receiver.url.replace("/hook", path));
  await page.getByRole("switch", { name: "Also while I have Parley in view" }).check();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("The webhook was changed.").first().waitFor();
  await pressLink(page, "/");
  const chatId = await ask(page, "What is the capital of France?");
  await expect.poll(() => told(path, "chat_response").map(({ chat }) => chat?.id)).toEqual([chatId]);

  const settings = (value: boolean | null) =>
    callApi(parley.url, token, "POST", "/api/v1/auths/admin/config", { ENABLE_USER_WEBHOOKS: value });
  await settings(false);
  await pressLink(page, "/settings/notifications");
  await page.getByText("User webhooks are switched off. Ask an administrator to switch them on.").waitFor();
  await settings(null);
  await page.reload();
  await page.getByRole("textbox", { name: "Address" }).waitFor();
});

test("administrators set the service's webhook, and see what was sent, what came back, and how it went over time", async () => {
  const path = "/service";
  const page = await open("/admin/webhooks");
  await page.getByRole("textbox", { name: "Address" }).fill("http://10.0.0.7/");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("10.0.0.7 is not a public address").first().waitFor();
  await setAddress(page, receiver.url.replace("/hook", path));

  receiver.behave(answers(503, {}, "the crane is busy"));
  await signUpByApi(parley.url, { name: "Cleo", email: "cleo@harbour.example", password: "a third long password" });
  await expect
    .poll(() => told(path, "new_user"))
    .toEqual([{ event: "new_user", user: { email: "cleo@harbour.example", name: "Cleo" } }]);
  await page.reload();
  const row = log(page).getByRole("row").filter({ hasText: "cleo@harbour.example" });
  await row.getByText("503").waitFor();
  await row.getByRole("button", { name: /New person/ }).click();
  await page.getByText("the crane is busy").waitFor();
  await page
    .getByText(/webhook-signature: v1,/)
    .first()
    .waitFor();
  expect(await findViolations(page)).toEqual([]);

  receiver.behave(answers(204));
  await page.getByRole("button", { name: "Send again" }).click();
  await row.getByText(/204 ·/).first().waitFor();
  await page.getByRole("combobox", { name: "State" }).selectOption("failed");
  await page.getByText("No deliveries match the filter.").waitFor();
  expect(new URL(page.url()).search).toBe("?state=failed");
  await page.reload();
  await page.getByText("No deliveries match the filter.").waitFor();
  await page.getByRole("combobox", { name: "State" }).selectOption("delivered");
  await row.first().waitFor();

  await page.getByRole("img", { name: /Attempts by day/ }).waitFor();
  await page.getByRole("img", { name: /Response time by day/ }).waitFor();
  await page.getByRole("combobox", { name: "Period" }).selectOption("hour");
  await page.getByRole("button", { name: "Show as table" }).first().click();
  const table = page.getByRole("table", { name: /Attempts by hour/ });
  await expect.poll(() => table.getByRole("row").count()).toBe(49);
  const sums = await table.getByRole("row").allTextContents();
  const counts = sums.slice(1).map((text) => text.match(/(\d+)\s*(\d+)\s*$/)!);
  expect(counts.reduce((sum, [, taken, not]) => [sum[0]! + Number(taken), sum[1]! + Number(not)], [0, 0])).toEqual([
    1,
    expect.any(Number),
  ]);

  // Anew, with the secret before for a while.
  await page.getByRole("button", { name: "Show secret" }).click();
  const secret = page.getByRole("group", { name: "Secret" }).locator("code");
  const first = await secret.textContent();
  await page.getByRole("button", { name: "Create a new secret" }).click();
  await page.getByRole("button", { name: "Create new secret" }).click();
  await page.getByText(/deliveries are also signed with the previous secret/).waitFor();
  const second = await secret.textContent();
  expect(second).not.toBe(first);
  await page.getByRole("button", { name: "Send a test" }).click();
  await page.getByText(/The test was accepted: 204/).waitFor();
  const last = receiver.received.findLast((each) => each.path === path)!;
  for (const each of [first, second]) expect(verified(each!, last)).toMatchObject({ event: "test" });
});

test("a webhook that its receiver gives up is switched off, said on every page, and switched on again", async () => {
  const path = "/gone";
  const page = await open("/admin/webhooks");
  await setAddress(page, receiver.url.replace("/hook", path));
  receiver.behave(answers(410));
  await pressLink(page, "/");
  await page.locator("main textarea").waitFor();
  await signUpByApi(parley.url, { name: "Dag", email: "dag@harbour.example", password: "a fourth long password" });
  await page.getByText("The service webhook was switched off").waitFor();
  await page.getByRole("button", { name: "See why" }).click();
  await page.getByText(/the receiver answered that it no longer exists \(410\)/).waitFor();
  receiver.behave(answers(204));
  await page.getByRole("button", { name: "Switch on again" }).click();
  await page.getByRole("button", { name: "Switch off" }).waitFor();
  await setAddress(page, "");
  await expect.poll(() => page.getByRole("button", { name: "Send a test" }).count()).toBe(0);
  expect(await findViolations(page)).toEqual([]);
});
