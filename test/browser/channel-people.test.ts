import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ChannelView } from "../../src/channels/schema.ts";
import { type Parley, startParley } from "../stack/start-parley.ts";
import { type Account, ada, callApi, signInContext, signUpByApi } from "./accounts.ts";
import { findViolations } from "./find-violations.ts";
import { openBrowser, type PageOptions, type TestBrowser } from "./open-browser.ts";
import { pressLink } from "./press-link.ts";
import { takePicture } from "./take-picture.ts";

const grace: Account = { name: "Grace Hopper", email: "grace@harbour.example", password: "correct horse battery" };
const nia: Account = { name: "Nia Okafor", email: "nia@harbour.example", password: "correct horse battery" };

let parley: Parley;
let browser: TestBrowser;
/** Of Ada, the administrator. */
let token: string;
let hers: string;
let niaId: string;

beforeAll(async () => {
  [parley, browser] = await Promise.all([startParley({ env: { DEFAULT_USER_ROLE: "user" } }), openBrowser()]);
  ({ token } = await signUpByApi(parley.url, ada));
  ({ token: hers } = await signUpByApi(parley.url, grace));
  ({ id: niaId } = await signUpByApi(parley.url, nia));
});
afterAll(async () => {
  await browser.close();
  await parley.stop();
});

async function open(address: string, account: Account, options: PageOptions = {}) {
  const page = await browser.openPage({ baseURL: parley.url, ...options });
  await signInContext(page, parley.url, account);
  await page.goto(address);
  return page;
}

/** What is loaded anew is paler for a moment. */
const isAccessible = (page: Page) => expect.poll(() => findViolations(page)).toEqual([]);
const call = <T>(as: string, method: string, path: string, body?: object) =>
  callApi<T>(parley.url, as, method, `/api/v1/channels${path}`, body);

describe("a channel", () => {
  it("is made, found, joined, renamed, closed and deleted", async () => {
    const page = await open("/channels", grace);
    await page.getByRole("button", { name: "New channel", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Create channel" }).click();
    await dialog.getByText("Enter a channel name.").waitFor();
    await dialog.getByLabel("Name", { exact: true }).fill("Night Watch");
    await dialog.getByLabel("Description").fill("Who is awake");
    await isAccessible(page);
    await dialog.getByRole("button", { name: "Create channel" }).click();
    await page.getByRole("heading", { name: "night-watch", exact: true }).waitFor();
    expect(page.url()).toMatch(/\/channels\/[0-9a-f-]+$/);

    await pressLink(page, "/channels");
    await page.getByRole("button", { name: "New channel", exact: true }).click();
    await page.getByRole("dialog").getByLabel("Name", { exact: true }).fill("night watch");
    await page.getByRole("dialog").getByRole("button", { name: "Create channel" }).click();
    await page.getByText("A public channel with this name already exists").waitFor();
    await page.keyboard.press("Escape");

    const phone = await open("/channels", nia, { size: "phone", theme: "dark" });
    await phone.getByRole("button", { name: "Browse channels" }).click();
    await phone.getByLabel("Search by name or description").fill("awake");
    const found = phone.getByRole("listitem").filter({ hasText: "#night-watch" });
    await found.getByText("1 person").waitFor();
    await isAccessible(phone);
    await found.getByRole("button", { name: "Join" }).click();
    await phone.getByRole("heading", { name: "night-watch", exact: true }).waitFor();
    await expect.poll(async () => (await channelOf(hers, "night-watch")).user_count).toBe(2);

    await pressLink(page, `/channels/${(await channelOf(hers, "night-watch")).id}`);
    await settings(page);
    // Another tab changes what this form leaves as it is.
    const { id } = await channelOf(hers, "night-watch");
    await callApi(parley.url, hers, "POST", `/api/v1/channels/${id}/update`, { description: "Who is up" });
    await page.getByRole("dialog").getByLabel("Name", { exact: true }).fill("day-watch");
    await page.getByRole("dialog").getByText("Private").click();
    await page.getByText("People who are not members can no longer find it.").waitFor();
    await isAccessible(page);
    await page.getByRole("dialog").getByRole("button", { name: "Save changes" }).click();
    await page.getByText("The channel was changed.").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("heading", { name: "day-watch", exact: true }).waitFor();
    // Whoever has it open sees it at once.
    await phone.getByRole("heading", { name: "day-watch", exact: true }).waitFor();
    expect(await channelOf(hers, "day-watch")).toMatchObject({ is_private: true, description: "Who is up" });

    await settings(phone);
    await phone.getByRole("button", { name: "Leave channel" }).click();
    await phone.getByText("You have left #day-watch.").waitFor();
    await phone.getByRole("heading", { name: "Channels", exact: true }).first().waitFor();

    await settings(page);
    await page.getByRole("button", { name: "Delete channel" }).click();
    await page.getByText("All messages, attached files and webhooks of this channel are deleted").waitFor();
    await page.getByRole("dialog").last().getByRole("button", { name: "Delete channel" }).click();
    await page.getByText("#day-watch was deleted.").waitFor();
    expect(await call<ChannelView[]>(hers, "GET", "/")).toEqual([]);
  });

  async function settings(page: Page) {
    await page.getByRole("button", { name: "More channel actions" }).click();
    await page.getByRole("menuitem", { name: "Channel settings" }).click();
    await page.getByRole("dialog").waitFor();
  }
  async function channelOf(as: string, name: string) {
    return (await call<ChannelView[]>(as, "GET", "/")).find((channel) => channel.name === name)!;
  }
});

describe("members", () => {
  it("are added, made managers, taken out and brought back", async () => {
    const { id } = await call<ChannelView>(hers, "POST", "/create", { name: "harbour" });
    const page = await open(`/channels/${id}?panel=members`, grace);
    const panel = page.getByRole("complementary", { name: "Members" });
    await panel.getByText("1 of 1 person").waitFor();
    await panel.getByRole("button", { name: "Add people" }).click();
    await page.getByLabel("Search name or e-mail").fill("nia");
    await page.getByRole("checkbox", { name: /Nia Okafor/ }).check();
    await isAccessible(page);
    await page.getByRole("button", { name: "Add 1 person" }).click();
    await page.getByText("1 person added to #harbour.").waitFor();
    const row = panel.getByRole("listitem").filter({ hasText: "Nia Okafor" });
    await act("Make a manager");
    await row.getByText("Manager", { exact: true }).waitFor();
    await isAccessible(page);
    await act("Remove from channel");
    await page.getByText("Nia Okafor was removed.").waitFor();
    await row.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Undo" }).click();
    await row.getByText("Manager", { exact: true }).waitFor();

    // The notices of all this cover nothing of the panel.
    const [side, notices] = [await panel.boundingBox(), await page.locator(".toast").last().boundingBox()];
    expect(notices!.x + notices!.width).toBeLessThan(side!.x);

    // Escape closes what is on top, and leaves the panel.
    await panel.getByRole("button", { name: "Add a group" }).click();
    await page.getByText("There are no groups you can add.").waitFor();
    await page.keyboard.press("Escape");
    await panel.getByRole("button", { name: "Add a group" }).waitFor();

    // A manager may step back, but the last one stays.
    const theirs = await open(`/channels/${id}?panel=members`, nia, { size: "phone", theme: "dark" });
    await theirs.getByRole("button", { name: "Actions for Grace Hopper" }).click();
    await theirs.getByRole("menuitem", { name: "Remove as manager" }).click();
    await theirs.getByText("Grace Hopper is no longer a manager.").waitFor();
    await expect.poll(() => panel.getByRole("button", { name: "Add people" }).count()).toBe(0);
    await theirs.getByRole("button", { name: "Actions for Nia Okafor" }).click();
    await theirs.getByRole("menuitem", { name: "Remove as manager" }).click();
    await theirs.getByText("The role of Nia Okafor couldn't be changed").waitFor();
    await isAccessible(theirs);

    async function act(what: string) {
      await panel.getByRole("button", { name: "Actions for Nia Okafor" }).click();
      await page.getByRole("menuitem", { name: what }).click();
    }
  });

  it("of a conversation are found by name, and the same few get the same one", async () => {
    const page = await open("/channels", ada);
    const write = async (...names: string[]) => {
      await pressLink(page, "/channels");
      await page.getByRole("button", { name: "New message" }).click();
      for (const name of names) {
        await page.getByLabel("Search name or e-mail").fill(name.split(" ")[0]!);
        await page.getByRole("checkbox", { name: new RegExp(name) }).check();
      }
      await isAccessible(page);
      await page
        .getByRole("button", { name: names.length > 1 ? `Message ${names.length} people` : "Message", exact: true })
        .click();
      await page.waitForURL(/\/channels\/[0-9a-f-]+$/);
      // The address comes before the page.
      await page.getByRole("button", { name: "More channel actions" }).waitFor();
      return page.url();
    };
    const first = await write("Grace Hopper");
    await page.getByRole("heading", { name: "Grace Hopper", exact: true }).waitFor();
    expect(await write("Grace Hopper", "Nia Okafor")).not.toBe(first);
    expect(await write("Grace Hopper")).toBe(first);
    await page.getByRole("button", { name: "More channel actions" }).click();
    await page.getByRole("menuitem", { name: "Channel settings" }).click();
    await page.getByRole("button", { name: "Hide conversation" }).click();
    await page.waitForURL(/\/channels$/);
    await expect.poll(async () => (await call<ChannelView[]>(token, "GET", "/")).length).toBe(1);
  });
});

describe("a status", () => {
  it("is set by keyboard, seen by the other person of a conversation, and cleared", async () => {
    const page = await open("/channels", nia);
    await page.getByRole("button", { name: /^Account of/ }).click();
    await page.getByRole("menuitem", { name: "Set a status" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Your status" });
    await dialog.getByRole("button", { name: "On holiday" }).press("Enter");
    await dialog.getByLabel("What are you doing?").fill("At sea");
    await dialog.getByLabel("Clear it").selectOption("In 4 hours");
    await isAccessible(page);
    await takePicture(page, "status");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    await page
      .getByRole("button", { name: /^Account of/ })
      .getByText("🌴")
      .waitFor();

    const direct = await call<ChannelView>(hers, "GET", `/users/${niaId}`);
    const phone = await open(`/channels/${direct.id}?panel=members`, grace, { size: "phone", theme: "dark" });
    await phone.getByRole("listitem").filter({ hasText: nia.email }).getByText("🌴 At sea").waitFor();
    await isAccessible(phone);
    await takePicture(phone, "status-phone");

    await page.getByRole("button", { name: /^Account of/ }).click();
    await page.getByRole("menuitem", { name: "At sea" }).click();
    await dialog.getByRole("button", { name: "Clear status" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: /^Account of/ }).click();
    await expect.poll(() => page.getByRole("menuitem", { name: "Set a status" }).isVisible()).toBe(true);
  });
});
