import { afterAll, beforeAll, expect, test } from "vitest";
import { type ReplayServer, startReplayServer } from "../fixtures/upstreams/replay-server.ts";
import { type ChannelsWorld, field, log, message, openChannelsWorld, write } from "./channels-world.ts";
import { findViolations } from "./find-violations.ts";
import { takePicture } from "./take-picture.ts";

let world: ChannelsWorld;
let upstream: ReplayServer;

beforeAll(async () => {
  [world, upstream] = await Promise.all([openChannelsWorld(), startReplayServer({ fixtures: ["openai"] })]);
  await world.ada.call("POST", "/api/v1/connections", { name: "Replay", base_url: upstream.url });
});
afterAll(async () => {
  await world.close();
  await upstream.close();
});

test("any emoji is found by its name, as a reaction and in the field, by keyboard and by its code", async () => {
  const channel = await world.makeChannel("emoji", [world.bo]);
  const said = await world.ada.say(channel.id, "Anything new?");
  const page = await world.open(world.bo, `/channels/${channel.id}`);
  const line = message(page, "Anything new?");
  await line.hover();
  await page.getByRole("button", { name: "Add a reaction" }).click();
  const dialog = page.getByRole("dialog", { name: "Choose a reaction" });
  await dialog.getByRole("region", { name: "Flags" }).waitFor({ state: "attached" });
  await takePicture(page, "emoji-all");
  await page.keyboard.type("lobster");
  await dialog.getByRole("button", { name: "lobster" }).waitFor();
  expect(await findViolations(page)).toEqual([]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await line.getByRole("button", { name: /🦞/ }).waitFor();
  // Another client sends a code.
  await world.ada.call("POST", `/api/v1/channels/${channel.id}/messages/${said.id}/reactions/add`, {
    name: ":sailboat:",
  });
  await line.getByRole("button", { name: /⛵/ }).waitFor();

  await field(page).pressSequentially("Look :sailb");
  await page.getByRole("option", { name: /:sailboat:/, selected: true }).waitFor();
  await takePicture(page, "emoji-code");
  await page.keyboard.press("Enter");
  await field(page).pressSequentially(" :tada: at 10:30");
  // Some emoji end with the sign that they are to be drawn as pictures.
  const value = async () => (await field(page).inputValue()).replaceAll("\u{FE0F}", "");
  await expect.poll(value).toBe("Look ⛵ 🎉 at 10:30");
  await field(page).press("Home");
  await page.getByRole("button", { name: "Insert emoji" }).click();
  await page.keyboard.type("anchor");
  await page.getByRole("dialog").getByRole("button", { name: "anchor" }).waitFor();
  await page.keyboard.press("Enter");
  await expect.poll(value).toBe("⚓Look ⛵ 🎉 at 10:30");
  await page.context().close();
});

test("the bar of a message is whole at the top of the list, and the way to the latest covers nothing", async () => {
  const channel = await world.makeChannel("long", [world.bo]);
  for (let number = 0; number < 30; number++)
    await world.ada.say(channel.id, `Line ${number}\n\n${"text\n\n".repeat(4)}`);
  const page = await world.open(world.ada, `/channels/${channel.id}`);
  await message(page, "Line 29").waitFor();
  await log(page).evaluate((list) => {
    const row = [...list.querySelectorAll<HTMLElement>("[data-message]")].find((each) =>
      each.textContent?.includes("Line 15"),
    );
    // The head of the message is above the list.
    list.scrollTop += row!.getBoundingClientRect().top - list.getBoundingClientRect().top + 40;
  });
  const latest = page.getByRole("button", { name: "Latest" });
  await latest.waitFor();
  const list = (await log(page).boundingBox())!;
  expect((await latest.boundingBox())!.y).toBeGreaterThanOrEqual(list.y + list.height);
  await page.mouse.move(list.x + 200, list.y + 20);
  const bar = page.getByRole("toolbar");
  await bar.waitFor();
  await expect.poll(async () => (await bar.boundingBox())!.y).toBeGreaterThanOrEqual(list.y);
  await takePicture(page, "channel-bar");
  await latest.click();
  await latest.waitFor({ state: "detached" });
  await page.context().close();
});

test("a model that is asked is seen writing in the channel, also while its thread is closed", async () => {
  const channel = await world.makeChannel("asked", [world.bo]);
  const page = await world.open(world.bo, `/channels/${channel.id}`);
  await field(page).waitFor();
  const hold = upstream.holdAfter(3);
  await write(page, "<@M:openai|openai> what is the capital of France?");
  await hold.reached;
  const line = page.locator("main p", { hasText: "openai is writing" }).first();
  await line.waitFor();
  await takePicture(page, "model-writing");
  hold.release();
  await line.waitFor({ state: "detached" });
  await expect.poll(() => page.getByText("is writing").count()).toBe(0);
  await page.context().close();
});
