import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ada, signInContext } from "./accounts.ts";
import { findViolations } from "./find-violations.ts";
import { carla, choose, OrganizationsWorld, row } from "./organizations-world.ts";

let world: OrganizationsWorld;
const ids = { south: "", group: "" };

beforeAll(async () => {
  world = await OrganizationsWorld.start();
  const make = async (path: string, body: object) => (await world.call<{ id: string }>("POST", path, body)).id;
  ids.south = await make("/api/v1/organizations", { name: "Harbour south" });
  const old = await make("/api/v1/organizations", { name: "Old quay", active: false, model_ids: ["mistral"] });
  const carlas = { user_ids: [world.people.get(carla.name)] };
  await world.call("POST", `/api/v1/organizations/${ids.south}/members`, carlas);
  await world.call("POST", `/api/v1/users/${carlas.user_ids[0]}/update`, { organization_role: "admin" });
  const permissions = { features: { api_keys: true } };
  ids.group = await make("/api/v1/groups/create", { name: "Night shift", description: "On duty", permissions });
  await world.call("POST", `/api/v1/groups/id/${ids.group}/users/add`, carlas);
  await world.call("PUT", "/api/v1/landing-rules", {
    rules: [
      { kind: "group", value: "quay", organization_id: old },
      { kind: "email_domain", value: "south.harbour.example", organization_id: ids.south },
    ],
  });
});
afterAll(() => world.stop());

test("a failed save keeps what was entered and says why; a page that failed offers to try again", async () => {
  const page = await world.open(`/admin/groups/${ids.group}`);
  await page.getByLabel("Description").fill("Kept while it fails");
  await page.route("**/update", (route) =>
    route.fulfill({ status: 500, contentType: "application/problem+json", body: '{"code":"internal_error"}' }),
  );
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("The group couldn't be saved").waitFor();
  await expect.poll(() => page.getByLabel("Description").inputValue()).toBe("Kept while it fails");
  await page.unroute("**/update");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("The group was saved.").waitFor();

  await page.route("**/api/v1/organizations*", (route) => route.abort());
  await page.goto("/admin/organizations");
  await page.getByText("The organizations couldn't be loaded").waitFor();
  const again = page.getByRole("button", { name: "Try again" });
  const asked = page.waitForRequest("**/api/v1/organizations*");
  await again.click();
  await asked;
  await again.waitFor();
  await page.unroute("**/api/v1/organizations*");
  // The page asks by itself too when rights have changed, and then there is nothing to click any more.
  await again.click({ timeout: 2000 }).catch(() => undefined);
  await row(page, "Harbour south").waitFor();
});

describe.each(["desktop", "phone"] as const)("on a %s, light and dark,", (size) => {
  test("no page and no dialog of these breaks WCAG 2.1 AA, scrolls sideways, or is too small to hit", async () => {
    const page = await world.browser.openPage({ baseURL: world.parley.url, size });
    await signInContext(page, world.parley.url, ada);
    const found: Record<string, string[]> = {};
    const check = async (name: string) => {
      const violations = await findViolations(page);
      if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth))
        violations.push("the page is wider than the window");
      await page.emulateMedia({ colorScheme: "dark" });
      violations.push(...(await findViolations(page, ["color-contrast"])).map((violation) => `dark: ${violation}`));
      await page.emulateMedia({ colorScheme: "light" });
      if (size === "phone") violations.push(...(await page.evaluate(findSmall)));
      if (violations.length > 0) found[name] = violations;
    };
    const go = async (path: string) => {
      await page.goto(path);
      await page.locator("main h1").waitFor();
      await expect.poll(() => page.locator('[role="status"][aria-label="Loading"]').count()).toBe(0);
    };
    for (const path of [
      "/admin/organizations",
      "/admin/organizations?q=nothing-like-it",
      `/admin/organizations/${ids.south}`,
      "/admin/organizations/gone",
      "/admin/groups",
      "/admin/groups/everyone",
      `/admin/groups/${ids.group}`,
      "/admin/people",
      `/admin/people?person=${world.people.get(carla.name)}`,
    ]) {
      await go(path);
      await check(path);
    }
    await go("/admin/organizations/landing");
    await page.getByRole("button", { name: "Edit rule 1" }).click();
    await page.getByRole("button", { name: "Add a rule" }).click();
    await page.getByRole("button", { name: "Save rules" }).click();
    await page.getByText("A rule is incomplete.").waitFor();
    await check("landing rules with a mistake");
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByLabel("E-mail").fill("a@south.harbour.example");
    await page.getByRole("button", { name: "Try", exact: true }).click();
    await page.getByText("Rule 2 applies").waitFor();
    await check("landing rules after a trial");
    await go(`/admin/organizations/${ids.south}`);
    await page.getByRole("button", { name: "Move people here" }).click();
    await page.getByRole("checkbox", { name: /Ada/ }).check();
    await check("choosing people");
    await page.keyboard.press("Escape");
    await page.getByLabel("Only selected models").check();
    await page.getByRole("button", { name: "Switch off" }).click();
    await check("question before switching off");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Cancel" }).click();
    await go("/admin/people");
    await choose(page, `Actions for ${carla.name}`, "Move to another organization");
    await page.getByRole("dialog").getByRole("button", { name: "Move" }).click();
    await check("moving a person, with a mistake");
    expect(found).toEqual({});
  });
});

/** What can be pressed and is less than 44 pixels high or wide; runs in the page. */
function findSmall(): string[] {
  const inText = (element: Element) => element.localName === "a" && getComputedStyle(element).display === "inline";
  return [...document.querySelectorAll("button, select, textarea, a[href], input")]
    .filter((element) => {
      const isReachable = element.getAttribute("tabindex") !== "-1" && !element.closest("[inert]");
      return element.checkVisibility({ visibilityProperty: true }) && isReachable && !inText(element);
    })
    .filter((element) => !element.classList.contains("skip"))
    .map((element) => ({
      name: element.textContent?.trim() || element.getAttribute("aria-label") || element.localName,
      // The label of a radio button or a check box can be pressed too.
      box: (/radio|checkbox/.test(element.getAttribute("type") ?? "")
        ? (element.closest("label") ?? element)
        : element
      ).getBoundingClientRect(),
    }))
    .filter(({ box }) => box.width > 0 && (box.height < 43.5 || box.width < 43.5))
    .map(({ name, box }) => `too small: ${name}: ${Math.round(box.width)} x ${Math.round(box.height)}`);
}
