import { afterAll, beforeAll, expect, test } from "vitest";
import { type ReplayServer, startReplayServer } from "../fixtures/upstreams/replay-server.ts";
import { type ChannelsWorld, field, log, message, openChannelsWorld, rail } from "./channels-world.ts";

let world: ChannelsWorld;
let upstream: ReplayServer;

beforeAll(async () => {
  [world, upstream] = await Promise.all([openChannelsWorld(), startReplayServer({ fixtures: ["openai", "mistral"] })]);
  await world.ada.call("POST", "/api/v1/connections", { name: "Replay", base_url: upstream.url });
});
afterAll(async () => {
  await world.close();
  await upstream.close();
});

test("two people and a model that one of them names talk, in the thread of what was asked", async () => {
  const { ada, bo } = world;
  const channel = await world.makeChannel("quay", [bo]);
  const [hers, his] = await Promise.all([
    world.open(ada, `/channels/${channel.id}`),
    world.open(bo, `/channels/${channel.id}`),
  ]);
  await field(hers).waitFor();
  await field(his).waitFor();

  // A name is chosen by keyboard and is a name for everybody.
  await field(hers).pressSequentially("@Bo");
  await hers.getByRole("option", { name: /^Bo Ek/, selected: true }).waitFor();
  await hers.keyboard.press("Enter");
  await field(hers).pressSequentially("ask the model, please");
  await hers.keyboard.press("Enter");
  await message(his, "@Bo Ek ask the model, please").waitFor();

  const hold = upstream.holdAfter(3);
  await field(his).pressSequentially("@openai");
  await his.getByRole("option", { name: /^openai/ }).waitFor();
  await his.keyboard.press("Enter");
  await field(his).pressSequentially("what is the capital of France?");
  await his.keyboard.press("Enter");
  await message(hers, "@openai what is the capital")
    .getByRole("link", { name: /^1 reply/ })
    .click();
  const panel = hers.getByRole("complementary", { name: "Thread" });
  const answer = panel.locator('[data-message][data-state="streaming"]');
  await answer.getByText("openai is writing").waitFor();
  await hold.reached;
  hold.release();
  await panel.locator('[data-message][data-state="done"]').filter({ hasText: "Paris is the capital" }).waitFor();
  await expect.poll(() => panel.getByText("is writing").count()).toBe(0);

  // Both go on in the thread, and the model keeps to it.
  await panel.getByRole("textbox", { name: "Reply in this thread" }).fill("Thank you both");
  await panel.getByRole("textbox", { name: "Reply in this thread" }).press("Enter");
  await message(his, "@openai what is the capital")
    .getByRole("link", { name: /^2 replies/ })
    .click();
  const his2 = his.getByRole("complementary", { name: "Thread" });
  await his2.getByText("Thank you both").waitFor();
  await his2.getByText("Paris is the capital").first().waitFor();
  // In the channel itself stands what was said there only.
  await expect.poll(() => log(hers).locator("[data-message]").count()).toBe(2);
  // Nothing in it is unread for those who looked on; the mention called for Bo while it was new.
  await expect.poll(() => rail(his).getByRole("link", { name: "quay", exact: true }).count()).toBe(1);
});

test("an answer is stopped by whoever asked, keeps what it has, and is begun anew", async () => {
  const { bo } = world;
  const channel = await world.makeChannel("bridge", [bo]);
  const page = await world.open(bo, `/channels/${channel.id}`);
  await field(page).waitFor();
  const hold = upstream.holdAfter(5);
  await field(page).pressSequentially("@mistral");
  await page.getByRole("option", { name: /^mistral/ }).waitFor();
  await page.keyboard.press("Enter");
  await field(page).pressSequentially("go on");
  await page.keyboard.press("Enter");
  await message(page, "@mistral go on")
    .getByRole("link", { name: /^1 reply/ })
    .click();
  const panel = page.getByRole("complementary", { name: "Thread" });
  const answer = panel.locator("[data-message]").filter({ hasText: "mistral" }).last();
  await panel.locator('[data-state="streaming"]').waitFor();
  await hold.reached;
  await answer.hover();
  await answer.getByRole("button", { name: /^Actions for the message from mistral/ }).click();
  await page.getByRole("menuitem", { name: "Stop the answer" }).click();
  await expect.poll(() => panel.locator('[data-state="streaming"]').count()).toBe(0);
  hold.release();
  await answer.hover();
  await answer.getByRole("button", { name: /^Actions for the message from mistral/ }).click();
  await page.getByRole("menuitem", { name: "Answer again" }).click();
  await panel.locator('[data-message][data-state="done"]').filter({ hasText: "Paris" }).waitFor();
  await expect.poll(() => panel.getByText("The model didn't answer").count()).toBe(0);
});
