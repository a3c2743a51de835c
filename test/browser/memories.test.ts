import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ada, callApi, signInContext, signUpByApi } from "./accounts.ts";
import { composer, send } from "./chat-world.ts";
import { findViolations } from "./find-violations.ts";
import { type HarbourWorld, openHarbourWorld } from "./harbour-world.ts";
import type { PageOptions } from "./open-browser.ts";

let world: HarbourWorld;
let people = 0;
beforeAll(async () => {
  world = await openHarbourWorld({
    mate: ({ messages, tools }) => {
      const last = messages.at(-1)!;
      if (last.role === "tool") return { content: "Noted." };
      if (tools?.some((tool) => tool.function.name === "add_memory") && messages.some(({ role }) => role === "user"))
        return { calls: [{ name: "add_memory", arguments: { content: "Sails on Sundays" } }] };
      const system = messages.find(({ role }) => role === "system")?.content ?? "";
      return { content: system.includes("The dog is called Rex") ? "Your dog is Rex." : "I do not know." };
    },
  });
});
afterAll(() => world?.close());

/** A page of somebody new, who may use all models. */
async function open(path: string, options: PageOptions = {}) {
  people += 1;
  const account = { name: `Mate ${people}`, email: `mate${people}@harbour.example`, password: "a long password" };
  await world.api("POST", "/api/v1/auths/add", { ...account, role: "user" });
  const page = await world.browser.openPage({ baseURL: world.parley.url, ...options });
  const token = await signInContext(page, world.parley.url, account);
  await page.goto(path);
  return { page, token };
}
const texts = (page: Page) => page.locator("li .text").allInnerTexts();
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
