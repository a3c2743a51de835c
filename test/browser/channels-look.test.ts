import { afterAll, beforeAll, expect, test } from "vitest";
import type { ChannelMessage, ChannelView } from "../../src/channels/schema.ts";
import { type ChannelsWorld, field, log, message, openChannelsWorld, rail, write } from "./channels-world.ts";
import { findViolations } from "./find-violations.ts";
import { pressLink } from "./press-link.ts";

let world: ChannelsWorld;
let channel: ChannelView;
let question: ChannelMessage;

beforeAll(async () => {
  world = await openChannelsWorld();
  const { ada, bo } = world;
  channel = await world.makeChannel("harbour-ops", [bo], { description: "What moves in the harbour today" });
  await ada.say(channel.id, "Morning.");
  question = await bo.say(channel.id, "Does the *Sunday* ferry run?\n\n| Quay | Time |\n|---|---|\n| North | 21:40 |");
  await ada.say(channel.id, "From the north quay.", { parent_id: question.id });
  const gone = await ada.say(channel.id, "Wrong channel");
  await bo.say(channel.id, "I saw it", { parent_id: gone.id });
  await ada.call("DELETE", `/api/v1/channels/${channel.id}/messages/${gone.id}/delete`);
  const path = `/api/v1/channels/${channel.id}/messages/${question.id}`;
  await ada.call("POST", `${path}/pin`, { is_pinned: true });
  await ada.call("POST", `${path}/reactions/add`, { name: "❤️" });
  await ada.say(channel.id, "At 21:40, as always.", { reply_to_id: question.id });
});
afterAll(() => world.close());

test.each([
  ["desktop", "light"],
  ["desktop", "dark"],
  ["phone", "light"],
  ["phone", "dark"],
] as const)("the pages of channels break no rule of WCAG (%s, %s)", async (size, theme) => {
  const page = await world.open(world.ada, `/channels/${channel.id}`, { size, theme });
  await message(page, "At 21:40").waitFor();
  await message(page, "This message was deleted.").waitFor();
  expect(await findViolations(page)).toEqual([]);
  await message(page, "Does the")
    .first()
    .click({ position: { x: 100, y: 10 } });
  await page.getByRole("toolbar", { name: "Actions for the message from Bo Ek" }).waitFor();
  expect(await findViolations(page)).toEqual([]);
  for (const [query, name] of [
    [`thread=${question.id}`, "Thread"],
    ["panel=pins", "Pinned messages"],
    ["panel=search", "Search"],
    ["panel=members", "Members"],
  ] as const) {
    await pressLink(page, `/channels/${channel.id}?${query}`);
    await page.getByRole("complementary", { name }).waitFor();
    await page.waitForLoadState("networkidle");
    expect(await findViolations(page), name).toEqual([]);
  }
  await pressLink(page, "/channels");
  await page
    .getByRole("main")
    .getByRole("link", { name: /^harbour-ops/ })
    .waitFor();
  expect(await findViolations(page)).toEqual([]);
});

test("nothing is wider than a phone, and all that can be pressed there is large enough", async () => {
  const page = await world.open(world.bo, `/channels/${channel.id}`, { size: "phone" });
  await message(page, "At 21:40").waitFor();
  await message(page, "Does the")
    .first()
    .click({ position: { x: 100, y: 10 } });
  await page.getByRole("toolbar").waitFor();
  const small = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("main button, main a")]
      .filter((element) => element.offsetParent !== null && !element.closest(".text"))
      .map((element) => ({ name: element.ariaLabel ?? element.innerText, box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && (box.height < 36 || box.width < 36))
      .map(({ name, box }) => `${name}: ${box.width} x ${box.height}`),
  );
  expect(small).toEqual([]);
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  // Enter breaks the line here; the button sends. The list ends above the field.
  await field(page).fill("from the");
  await field(page).press("Enter");
  await field(page).pressSequentially("phone");
  await page.getByRole("button", { name: "Send" }).click();
  await message(page, "from the").waitFor();
  const [last, box] = await Promise.all([message(page, "from the").boundingBox(), field(page).boundingBox()]);
  expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThan(box?.y ?? 0);
  // The thread covers the channel; Back leads to it.
  await message(page, "Does the")
    .first()
    .getByRole("link", { name: /^1 reply/ })
    .click();
  const panel = page.getByRole("complementary", { name: "Thread" });
  await panel.getByText("From the north quay.").waitFor();
  expect((await panel.boundingBox())?.width).toBe(390);
  await page.goBack();
  await expect.poll(() => panel.count()).toBe(0);
  await page.getByRole("button", { name: "Open the menu" }).click();
  await rail(page).getByRole("link", { name: "Channels" }).click();
  await page.getByRole("heading", { level: 1, name: "Channels" }).waitFor();
});

test("everything is reached by keyboard, and new messages are said to those who do not see them", async () => {
  const { ada, bo } = world;
  const page = await world.open(ada, `/channels/${channel.id}`);
  await message(page, "At 21:40").waitFor();
  await expect.poll(() => field(page).evaluate((element) => element === document.activeElement)).toBe(true);
  // One stop for the whole list, the arrows walk through it, Tab reaches what can be done with a message.
  await page.keyboard.press("Shift+Tab");
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? "");
  while (!/^(Bo Ek|Ada Lindqvist), /.test(await focused())) await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  const target = page.locator("[data-message]:focus");
  const words = await target.innerText();
  await target.getByRole("toolbar").waitFor();
  expect(words).not.toBe("");
  await page.keyboard.press("Home");
  await expect.poll(() => page.locator("[data-message]:focus").innerText()).toContain("Morning.");
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => page.locator("[data-message]:focus").innerText()).toContain("Does the Sunday ferry run?");
  const toolbar = message(page, "Does the").first().getByRole("toolbar");
  const thread = toolbar.getByRole("button", { name: "Reply in a thread" });
  while (!(await thread.evaluate((element) => element === document.activeElement))) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  const panel = page.getByRole("complementary", { name: "Thread" });
  await panel.getByRole("textbox", { name: "Reply in this thread" }).waitFor();
  await expect
    .poll(() =>
      panel.getByRole("textbox", { name: "Reply in this thread" }).evaluate((one) => one === document.activeElement),
    )
    .toBe(true);
  await page.keyboard.press("Escape");
  await expect.poll(() => panel.count()).toBe(0);
  await bo.say(channel.id, "The *fog* is lifting");
  await page.locator('[aria-live="polite"]').filter({ hasText: "Bo Ek: The fog is lifting" }).waitFor({
    state: "attached",
  });
  await page.keyboard.press("?");
  await expect.poll(() => log(page).getAttribute("aria-live")).toBe("off");
});

test("files go along with a message, which its readers can open", async () => {
  const { ada, bo } = world;
  const page = await world.open(ada, `/channels/${channel.id}`);
  await field(page).waitFor();
  await page.locator('input[type="file"]').setInputFiles({
    name: "berths.txt",
    mimeType: "text/plain",
    buffer: Buffer.from("Berth 4 is free from noon."),
  });
  await page.locator('[data-attachment="berths.txt"][data-upload="done"]').waitFor();
  await write(page, "The list of berths");
  await message(page, "The list of berths")
    .getByRole("link", { name: /berths\.txt/ })
    .waitFor();
  await expect.poll(() => page.locator("[data-attachment]").count()).toBe(0);
  const reader = await world.open(bo, `/channels/${channel.id}`);
  // As if it were still being read when the reader opens it: only the owner hears when that ends.
  await reader.route(
    /\/api\/v1\/files\/[^/]+\?content=false$/,
    async (route) => {
      const response = await route.fetch();
      const file = (await response.json()) as { data: object };
      await route.fulfill({ response, json: { ...file, data: { status: "pending" } } });
    },
    { times: 1 },
  );
  await message(reader, "The list of berths")
    .getByRole("link", { name: /berths\.txt/ })
    .click();
  await reader.waitForURL(/\?file=/);
  const panel = reader.getByRole("complementary", { name: "File" });
  await panel.getByText("Waiting to be read").waitFor();
  await panel.getByText("Berth 4 is free from noon.").waitFor();
  expect(await panel.getByRole("status").count()).toBe(0);
});
