import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ChannelsWorld, field, log, message, openChannelsWorld, rail, write } from "./channels-world.ts";
import { pressLink } from "./press-link.ts";

let world: ChannelsWorld;

beforeAll(async () => {
  world = await openChannelsWorld();
});
afterAll(() => world.close());

/** The texts of all messages in the channel, in their order. */
const said = (page: Page) => log(page).locator("[data-message] .text").allInnerTexts();

test("two people talk: what one writes, changes, reacts to and deletes the other sees at once", async () => {
  const { ada, bo } = world;
  const channel = await world.makeChannel("quay", [bo]);
  const [hers, his] = await Promise.all([
    world.open(ada, `/channels/${channel.id}`),
    world.open(bo, `/channels/${channel.id}`),
  ]);
  await hers.getByText("This is the beginning of #quay. Write the first message.").waitFor();
  await expect.poll(() => hers.title()).toMatch(/^quay ·/);

  await field(hers).waitFor();
  await field(his).waitFor();
  await field(hers).pressSequentially("Is the *crane* back?");
  await his.getByText("Ada Lindqvist is writing").waitFor();
  await field(hers).press("Enter");
  await message(his, "Is the crane back?").locator("em").waitFor();
  await expect.poll(() => his.getByText("is writing").count()).toBe(0);

  await write(his, "Yes, since\nnoon.");
  await message(hers, "since").locator("br").waitFor({ state: "attached" });
  await expect.poll(() => said(hers)).toEqual(["Is the crane back?", "Yes, since\nnoon."]);

  // A reaction, shown as one's own only to whoever gave it; pressed again it goes away.
  await message(his, "crane").hover();
  await message(his, "crane").getByRole("button", { name: "heart", exact: true }).click();
  await message(his, "crane").getByRole("button", { name: "heart you", pressed: true }).waitFor();
  await message(hers, "crane").getByRole("button", { name: "heart Bo Ek", pressed: false }).click();
  await message(his, "crane")
    .getByRole("button", { name: /^heart you and Ada/, pressed: true })
    .click();
  await message(hers, "crane").getByRole("button", { name: "heart you", pressed: true }).waitFor();

  // Up in the empty field edits the last message of one's own.
  await field(hers).press("ArrowUp");
  const editor = hers.getByRole("textbox", { name: "Edit your message" });
  await editor.fill("Is the crane back *yet*?");
  await editor.press("Enter");
  await message(his, "back yet?").getByText("(edited)").waitFor();
  await expect.poll(() => field(hers).evaluate((element) => element === document.activeElement)).toBe(true);

  await message(his, "noon").hover();
  await message(his, "noon").getByRole("button", { name: "Actions for the message from Bo Ek" }).click();
  await his.getByRole("menuitem", { name: "Delete" }).click();
  await his.getByRole("button", { name: "Delete message" }).click();
  await expect.poll(() => said(hers)).toEqual(["Is the crane back yet?"]);
  await expect.poll(() => said(his)).toEqual(["Is the crane back yet?"]);
});

test("a thread beside the channel has an address, and Back closes it; quotes and pins lead to their messages", async () => {
  const { ada, bo } = world;
  const channel = await world.makeChannel("bridge", [bo]);
  const question = await bo.say(channel.id, "Who opens the bridge at six?");
  const page = await world.open(ada, `/channels/${channel.id}`);
  await message(page, "Who opens").hover();
  await message(page, "Who opens").getByRole("button", { name: "Reply in a thread" }).click();
  await page.waitForURL(`**/channels/${channel.id}?thread=${question.id}`);
  const panel = page.getByRole("complementary", { name: "Thread" });
  await panel.getByText("Who opens the bridge at six?").waitFor();
  await panel.getByRole("textbox", { name: "Reply in this thread" }).fill("I do.");
  await panel.getByRole("textbox", { name: "Reply in this thread" }).press("Enter");
  await panel.getByRole("log", { name: "Replies" }).getByText("I do.").waitFor();
  await bo.say(channel.id, "Thank you", { parent_id: question.id });
  await panel.getByText("Thank you").waitFor();
  await message(page, "Who opens")
    .getByRole("link", { name: /^2 replies/ })
    .waitFor();
  // What is said in a thread does not stand in the channel.
  await expect.poll(() => said(page)).toEqual(["Who opens the bridge at six?"]);
  await page.goBack();
  await expect.poll(() => panel.count()).toBe(0);

  await message(page, "Who opens").hover();
  await message(page, "Who opens").getByRole("button", { name: "Actions for the message from Bo Ek" }).click();
  await page.getByRole("menuitem", { name: "Quote" }).click();
  await write(page, "Ask the harbour master.");
  await message(page, "Ask the harbour").getByText("In reply to Bo Ek").waitFor();

  await message(page, "Ask the harbour")
    .getByRole("link", { name: /Who opens the bridge/ })
    .click();
  await page.waitForURL(`**/channels/${channel.id}?at=${question.seq}`);

  await message(page, "Ask the harbour").hover();
  await message(page, "Ask the harbour")
    .getByRole("button", { name: "Actions for the message from Ada Lindqvist" })
    .click();
  await page.getByRole("menuitem", { name: "Pin to the channel" }).click();
  await message(page, "Ask the harbour").getByText("Pinned").waitFor();
  await page.getByRole("button", { name: "More channel actions" }).click();
  await page.getByRole("menuitem", { name: "Pinned messages" }).click();
  const pins = page.getByRole("complementary", { name: "Pinned messages" });
  await pins.getByRole("link", { name: /Ask the harbour master/ }).click();
  await page.waitForURL(/\?at=\d+/);
  await message(page, "Ask the harbour").waitFor();
});

test("the rail counts what is unread and says what calls for the person, in the tab's title too", async () => {
  const { ada, bo } = world;
  const channel = await world.makeChannel("pilots", [bo]);
  const other = await world.makeChannel("tugs", [bo]);
  const page = await world.open(bo, `/channels/${other.id}`);
  const link = rail(page).getByRole("link", { name: /^pilots/ });
  await link.waitFor();
  await ada.say(channel.id, "One");
  await ada.say(channel.id, "Two");
  await rail(page).getByRole("link", { name: "pilots , 2 unread" }).waitFor();
  await expect.poll(() => page.title()).toMatch(/^tugs/);
  await ada.say(channel.id, `Three, <@U:${bo.id}|Bo Ek>`);
  await rail(page).getByRole("link", { name: "pilots , 3 unread, 1 mention of you" }).waitFor();
  await expect.poll(() => page.title()).toMatch(/^● tugs/);

  // Reading it makes it read, here and in another tab of the same person.
  const second = await world.browser.openPage({ baseURL: world.parley.url, context: page.context() });
  await second.goto("/channels");
  await rail(second)
    .getByRole("link", { name: /^pilots , 3 unread/ })
    .waitFor();
  await page.bringToFront();
  await link.click();
  await log(page).getByText("New", { exact: true }).waitFor();
  await rail(page).getByRole("link", { name: "pilots", exact: true }).waitFor();
  await expect.poll(() => page.title()).toMatch(/^pilots/);
  await rail(second).getByRole("link", { name: "pilots", exact: true }).waitFor();
  await page.reload();
  await rail(page).getByRole("link", { name: "pilots", exact: true }).waitFor();
  // What was new is no longer.
  await message(page, "Three").waitFor();
  await expect.poll(() => log(page).getByText("New", { exact: true }).count()).toBe(0);
});

test("whoever is named in a thread is led there, until they have seen it", async () => {
  const { ada, bo } = world;
  const channel = await world.makeChannel("moorings", [bo]);
  const head = await ada.say(channel.id, "Who is at the moorings?");
  const page = await world.open(bo, `/channels/${channel.id}`);
  await message(page, "Who is at").waitFor();
  await ada.say(channel.id, `Ask <@U:${bo.id}|Bo Ek>`, { parent_id: head.id });
  await ada.say(channel.id, "And the lock?");
  await rail(page)
    .getByRole("link", { name: /^moorings.*1 mention of you/ })
    .waitFor();
  await page.getByRole("link", { name: "Ada Lindqvist mentioned you in a thread: Ask @Bo Ek" }).click();
  await page.waitForURL(`**/channels/${channel.id}?thread=${head.id}&at=2`);
  await page.getByRole("complementary", { name: "Thread" }).getByText("Ask").waitFor();
  await rail(page).getByRole("link", { name: "moorings", exact: true }).waitFor();
  await expect.poll(() => page.getByText("mentioned you in a thread").count()).toBe(0);
});

test("without a connection messages wait and are sent once, in their order; drafts stay", async () => {
  const { ada, bo } = world;
  const channel = await world.makeChannel("lighthouse", [bo]);
  const page = await world.open(bo, `/channels/${channel.id}`);
  await field(page).waitFor();
  await write(page, "before");
  await message(page, "before").waitFor();
  await page.context().setOffline(true);
  await write(page, "first");
  await write(page, "second");
  await log(page)
    .locator("[data-outgoing]")
    .filter({ hasText: "second" })
    .getByText("Waiting for the connection")
    .waitFor();
  await ada.say(channel.id, "meanwhile");
  await field(page).fill("a thought that is not finished");
  await page.context().setOffline(false);
  await message(page, "second").waitFor();
  await message(page, "meanwhile").waitFor();
  await expect.poll(() => log(page).locator("[data-outgoing]").count()).toBe(0);
  await expect.poll(() => said(page)).toEqual(["before", "meanwhile", "first", "second"]);
  await page.reload();
  await message(page, "second").waitFor();
  await expect.poll(() => said(page)).toEqual(["before", "meanwhile", "first", "second"]);
  await expect.poll(() => field(page).inputValue()).toBe("a thought that is not finished");
  // Also when the tab is gone: the next one sends it, wherever it is.
  await page.context().setOffline(true);
  await write(page, "third");
  await log(page).locator("[data-outgoing]").filter({ hasText: "third" }).waitFor();
  const context = page.context();
  await page.close();
  await context.setOffline(false);
  const next = await world.browser.openPage({ baseURL: world.parley.url, context });
  await next.goto("/");
  const history = () => ada.call<{ messages: { content: string }[] }>("GET", `/api/v1/channels/${channel.id}/history`);
  await expect.poll(async () => (await history()).messages.map(({ content }) => content)).toContain("third");
  await rail(next).getByRole("link", { name: "lighthouse" }).click();
  await message(next, "third").waitFor();
  await expect.poll(() => said(next)).toEqual(["before", "meanwhile", "first", "second", "third"]);
});

test("a long history opens at its end and grows upwards without moving what is read", async () => {
  const { ada, bo } = world;
  const channel = await world.makeChannel("log", [bo]);
  for (let number = 1; number <= 130; number++) await ada.say(channel.id, `Entry ${number}.`);
  const page = await world.open(ada, `/channels/${channel.id}`);
  await message(page, "Entry 130.").waitFor();
  await expect.poll(() => message(page, "Entry 20.").count()).toBe(0);
  // One who was away finds the beginning of what is new instead of its end.
  const away = await world.open(bo, `/channels/${channel.id}`);
  await log(away).getByText("New", { exact: true }).waitFor();
  await message(away, "Entry 1.").waitFor();
  await away.getByRole("button", { name: "Latest" }).click();
  await message(away, "Entry 130.").waitFor();

  const scroller = log(page);
  const top = (words: string) => message(page, words).evaluate((element) => element.getBoundingClientRect().top);
  await scroller.evaluate((element) => element.scrollTo({ top: 700 }));
  const anchor = "Entry 100.";
  const before = await top(anchor);
  await scroller.evaluate((element) => element.scrollTo({ top: 300 }));
  await message(page, "Entry 60.").waitFor();
  expect(Math.abs((await top(anchor)) - (before + 400))).toBeLessThan(3);
  while ((await log(page).getByText("The beginning of #log").count()) === 0) {
    await scroller.evaluate((element) => element.scrollTo({ top: 0 }));
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  }
  await expect.poll(() => said(page)).toEqual(Array.from({ length: 130 }, (_, index) => `Entry ${index + 1}.`));
  // What comes while one reads above moves nothing and is offered below.
  await bo.say(channel.id, "Something new");
  await page.getByRole("button", { name: "1 new message" }).click();
  await message(page, "Something new").waitFor();
});

test("search finds messages in a channel and, from the palette, in all of them", async () => {
  const { ada, bo } = world;
  const channel = await world.makeChannel("stores", [bo]);
  await ada.say(channel.id, "Forty ropes of hemp");
  for (let number = 1; number <= 70; number++) await ada.say(channel.id, `Filler ${number}`);
  const page = await world.open(bo, `/channels/${channel.id}?at=71`);
  await page.getByRole("button", { name: "Search in this channel" }).click();
  await page.getByRole("searchbox", { name: "Search in this channel" }).fill("hemp");
  await page
    .getByRole("complementary", { name: "Search" })
    .getByRole("link", { name: /Forty ropes/ })
    .click();
  await page.waitForURL(/\?at=1$/);
  await message(page, "Forty ropes").waitFor();
  await pressLink(page, "/channels");
  await page.getByRole("heading", { level: 1, name: "Channels" }).waitFor();
  await rail(page)
    .getByRole("link", { name: /^stores/ })
    .waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: /^Search/ }).fill("ropes hemp");
  await page.getByRole("option", { name: /Forty ropes of hemp/ }).click();
  await page.waitForURL(`**/channels/${channel.id}?at=1`);
  await message(page, "Forty ropes").waitFor();
  const isInView = (element: Element): boolean => {
    const { top, bottom } = element.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  };
  await expect.poll(() => message(page, "Forty ropes").evaluate(isInView)).toBe(true);
});

test("a public channel can be looked at and joined; what is not there or not for the person says so", async () => {
  const { ada, bo } = world;
  const open = await world.makeChannel("market");
  const hidden = await world.makeChannel("board", [], { type: "group", is_private: true });
  await ada.say(open.id, "Herring today");
  const page = await world.open(bo, `/channels/${open.id}`);
  await message(page, "Herring today").waitFor();
  await expect
    .poll(() =>
      rail(page)
        .getByRole("link", { name: /^market/ })
        .count(),
    )
    .toBe(0);
  await page.getByRole("button", { name: "Join channel" }).click();
  await rail(page)
    .getByRole("link", { name: /^market/ })
    .waitFor();
  await expect.poll(() => page.getByRole("button", { name: "Join channel" }).count()).toBe(0);
  await page.goto(`/channels/${hidden.id}`);
  await page.getByText("This channel doesn't exist").waitFor();
  // Taken out while looking at it: the page says so at once.
  const staff = await world.makeChannel("staff", [bo], { type: "group", is_private: true });
  await pressLink(page, `/channels/${staff.id}`);
  await field(page).waitFor();
  await ada.call("POST", `/api/v1/channels/${staff.id}/update/members/remove`, { user_ids: [bo.id] });
  await page.getByText("This channel doesn't exist").waitFor();
  await expect
    .poll(() =>
      rail(page)
        .getByRole("link", { name: /^staff/ })
        .count(),
    )
    .toBe(0);
});

test("after the service was started anew nothing is missing and nothing is doubled", async () => {
  const { ada, bo, parley } = world;
  const channel = await world.makeChannel("ferry", [bo]);
  const page = await world.open(bo, `/channels/${channel.id}`);
  await field(page).waitFor();
  for (let number = 1; number <= 5; number++) await ada.say(channel.id, `Trip ${number}`);
  await message(page, "Trip 5").waitFor();
  await parley.kill9All();
  await write(page, "Trip 7");
  await parley.restart();
  await message(page, "Trip 7").waitFor();
  await ada.say(channel.id, "Trip 8");
  await message(page, "Trip 8").waitFor();
  await expect.poll(() => said(page)).toEqual(["Trip 1", "Trip 2", "Trip 3", "Trip 4", "Trip 5", "Trip 7", "Trip 8"]);
  await expect.poll(() => log(page).locator("[data-outgoing]").count()).toBe(0);
});

test("where channels are switched off nothing leads to them, and their pages say who can change that", async () => {
  const { ada, bo } = world;
  const channel = await world.makeChannel("dock", [bo]);
  const page = await world.open(bo, `/channels/${channel.id}`);
  await field(page).waitFor();
  await ada.call("POST", "/api/v1/auths/admin/config", { ENABLE_CHANNELS: false });
  await page.reload();
  await page.getByText("Channels are switched off here. An administrator can switch them on.").waitFor();
  await rail(page).getByRole("link", { name: "Prompts" }).waitFor();
  await expect.poll(() => rail(page).getByRole("link", { name: "Channels" }).count()).toBe(0);
  await ada.call("POST", "/api/v1/auths/admin/config", { ENABLE_CHANNELS: true });
  await page.reload();
  await field(page).waitFor();
  await rail(page).getByRole("link", { name: "dock", exact: true }).waitFor();
});

test("a message made to break the page hides no other one", async () => {
  const { ada } = world;
  const channel = await world.makeChannel("breakers");
  const page = await world.open(ada, `/channels/${channel.id}`);
  for (const text of ["The first words", ">".repeat(2000), "_a_b".repeat(3000), "The last words"]) {
    await write(page, text);
    await expect.poll(() => field(page).inputValue()).toBe("");
  }
  await page.reload();
  await message(page, "The first words").waitFor();
  await message(page, "The last words").waitFor();
  await expect.poll(() => log(page).locator("[data-message]").count()).toBe(4);
});
