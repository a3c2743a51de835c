import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Parley, startParley } from "../stack/start-parley.ts";
import { type Account, ada, callApi, signInContext, signUpByApi } from "./accounts.ts";
import { composer } from "./chat-world.ts";
import { findViolations } from "./find-violations.ts";
import { openBrowser, type PageOptions, type TestBrowser } from "./open-browser.ts";

const grace: Account = { name: "Grace Hopper", email: "grace@harbour.example", password: "correct horse battery" };

let parley: Parley;
let browser: TestBrowser;
let token: string;

beforeAll(async () => {
  [parley, browser] = await Promise.all([startParley({ env: { DEFAULT_USER_ROLE: "user" } }), openBrowser()]);
  ({ token } = await signUpByApi(parley.url, ada));
  await signUpByApi(parley.url, grace);
});
afterAll(async () => {
  await browser.close();
  await parley.stop();
});

async function open(address: string, account: Account = ada, options: PageOptions = {}) {
  const page = await browser.openPage({ baseURL: parley.url, ...options });
  await signInContext(page, parley.url, account);
  await page.goto(address);
  return page;
}

const make = (prompt: object) => callApi<{ id: string }>(parley.url, token, "POST", "/api/v1/prompts/create", prompt);

describe("a prompt", () => {
  it("is made, changed, gone back in, shared, switched off and deleted", async () => {
    const page = await open("/prompts");
    await page.getByText("No prompts yet").waitFor();
    await page.getByRole("link", { name: "New prompt" }).first().click();
    await page.getByLabel("Name", { exact: true }).fill("Log of the day");
    await expect.poll(() => page.getByLabel("Command", { exact: true }).inputValue()).toBe("log-of-the-day");
    await page.getByLabel("Command", { exact: true }).fill("not a command");
    await page.getByLabel("Text to insert").fill("Write the log of {{day | date:required}}.");
    await page.getByText("a day, required").waitFor();
    await page.getByRole("button", { name: "Create prompt" }).click();
    await page.getByText("without spaces").first().waitFor();
    await page.getByLabel("Command", { exact: true }).fill("/log");
    await page.getByRole("button", { name: "Create prompt" }).click();
    await page.getByRole("heading", { name: "Log of the day" }).waitFor();
    expect(await findViolations(page)).toEqual([]);

    await page.getByLabel("Text to insert").fill("Write the log of {{day | date:required}}, in a rhyme.");
    await page.getByLabel("What changed").fill("In a rhyme");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const versions = page
      .getByRole("listitem")
      .filter({ has: page.getByRole("button", { name: "Show", exact: true }) });
    await versions.filter({ hasText: "In a rhyme" }).filter({ hasText: "in use" }).waitFor();
    await versions.last().getByRole("button", { name: "Show" }).click();
    await page.getByRole("button", { name: "Restore" }).click();
    await page.getByText("was restored").waitFor();
    await expect
      .poll(() => page.getByLabel("Text to insert").inputValue())
      .toBe("Write the log of {{day | date:required}}.");

    await page.getByLabel("Everyone who is signed in").check();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("The change applies now").waitFor();
    const hers = await open("/prompts", grace, { size: "phone", theme: "dark" });
    await hers.getByRole("link", { name: "Log of the day" }).click();
    await hers.getByText("You can use this prompt, but not change it. Ada Lindqvist can.").waitFor();
    await expect.poll(() => hers.getByLabel("Name", { exact: true }).count()).toBe(0);
    expect(await findViolations(hers)).toEqual([]);

    await hers.goto("/");
    await composer(hers).fill("/log");
    await hers.getByRole("option", { name: /\/log.*Ada Lindqvist/ }).waitFor();
    await page.getByLabel("Available in chats").click();
    await expect.poll(() => page.getByLabel("Available in chats").isChecked()).toBe(false);
    await composer(hers).fill("");
    await composer(hers).fill("/lo");
    await expect.poll(() => hers.getByRole("option").count()).toBe(0);

    // Somebody else writes another text and takes it back from the others: no older page undoes either.
    const one = new URL(page.url()).pathname.replace("/prompts/", "/api/v1/prompts/id/");
    await callApi(parley.url, token, "POST", `${one}/update`, { content: "Write it.", access_grants: [] });
    await page.getByLabel("Selected people and groups").check();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Someone else changed this at the same time.").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Log of the night");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect
      .poll(() => callApi(parley.url, token, "GET", one))
      .toMatchObject({ name: "Log of the night", content: "Write it.", access_grants: [] });

    await page.getByRole("button", { name: "Delete prompt" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete prompt" }).click();
    await page.waitForURL("**/prompts");
    await page.getByText("No prompts yet").waitFor();
  });

  it("is put into the message by its command, after it has asked for what it needs", async () => {
    await make({
      command: "report",
      name: "Report",
      content:
        'For {{who | select:options=["the crew","the master"]:required}}, from {{USER_NAME}}:\n{{text | textarea:required}}\n{{count | number:max=5}}',
    });
    await make({ command: "plain", name: "Plain words", content: "In plain words, please." });
    for (const options of [{}, { size: "phone", theme: "dark" }] as const) {
      const page = await open("/", ada, options);
      const field = composer(page);
      await field.fill("Before\n/");
      await page.getByRole("option", { name: /\/report/ }).waitFor();
      expect(await findViolations(page)).toEqual([]);
      await field.press("End");
      await field.pressSequentially("rep");
      await expect.poll(() => page.getByRole("option").count()).toBe(1);
      await field.press("Enter");
      const dialog = page.getByRole("dialog", { name: "Report" });
      await dialog.getByLabel("count").fill("7");
      await dialog.getByRole("button", { name: "Insert into message" }).click();
      await dialog.getByText("At most 5.").waitFor();
      await expect.poll(() => dialog.getByText("This field is required.").count()).toBe(2);
      expect(await findViolations(page)).toEqual([]);
      await dialog.getByLabel("who *").selectOption("the crew");
      await dialog.getByLabel("text *").fill("Calm {{USER_NAME}}");
      await dialog.getByLabel("count").fill("");
      await dialog.getByRole("button", { name: "Insert into message" }).click();
      await expect
        .poll(() => field.inputValue())
        .toBe("Before\nFor the crew, from Ada Lindqvist:\nCalm {{USER_NAME}}\n");
      await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
      // Nothing was sent by that.
      expect(new URL(page.url()).pathname).toBe("/");
      await field.fill("");
      await page.context().close();
    }
  });

  it("leaves the message alone when the person has changed their mind", async () => {
    const page = await open("/");
    const field = composer(page);
    await field.fill("/plain");
    await page.getByRole("option", { name: /\/plain/ }).click();
    await expect.poll(() => field.inputValue()).toBe("In plain words, please.");
    await field.fill("/report");
    await page.getByRole("option", { name: /\/report/ }).waitFor();
    await field.press("Tab");
    await page.getByRole("dialog", { name: "Report" }).waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    await expect.poll(() => field.inputValue()).toBe("/report");
    // Closed, the list stays closed, and Enter sends what was written.
    await field.fill("/pl");
    await page.getByRole("option", { name: /\/plain/ }).waitFor();
    await field.press("Escape");
    await expect.poll(() => page.getByRole("option").count()).toBe(0);
    await expect.poll(() => field.inputValue()).toBe("/pl");
  });
});
