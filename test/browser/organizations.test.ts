import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Account, ada } from "./accounts.ts";
import { bo, carla, choose, dmitri, focused, OrganizationsWorld, row } from "./organizations-world.ts";
import { pressLink } from "./press-link.ts";

let world: OrganizationsWorld;

beforeAll(async () => {
  world = await OrganizationsWorld.start();
});
beforeEach(() => world.reset());
afterAll(() => world.stop());

test("with one organization only its own page mentions organizations", async () => {
  const page = await world.open("/admin/people");
  await row(page, carla.email).waitFor();
  const main = page.locator("main");
  await expect.poll(() => main.textContent()).not.toMatch(/organization/i);
  await page.getByRole("button", { name: `Actions for ${carla.name}` }).click();
  await expect.poll(() => page.getByRole("menu").textContent()).not.toMatch(/organization/i);
  for (const path of ["/admin/groups", "/admin/connections/new", "/admin/models/new"]) {
    await pressLink(page, path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await expect.poll(() => page.locator('[role="status"][aria-label="Loading"]').count()).toBe(0);
    await expect.poll(() => main.textContent()).not.toMatch(/organization/i);
  }
  await page.goto("/admin/organizations");
  await page.getByText("Everyone is in one organization").waitFor();
});

test("an administrator makes an organization, gives it models, and moves people into it", async () => {
  const page = await world.open("/admin/organizations");
  await page.getByRole("button", { name: "New organization" }).click();
  const dialog = page.getByRole("dialog", { name: "New organization" });
  await dialog.getByRole("button", { name: "Create organization" }).click();
  await dialog.getByText("Enter a name.").waitFor();
  await dialog.getByLabel("Name").fill("default");
  await page.keyboard.press("Enter");
  await expect.poll(() => dialog.getByLabel("Name").getAttribute("aria-invalid")).toBe("true");
  await dialog.getByLabel("Name").fill("Harbour south");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Harbour south" }).waitFor();
  const south = new URL(page.url()).pathname.split("/").at(-1);
  await page.getByText("Nobody belongs here yet.").waitFor();

  await page.getByRole("button", { name: "Move people here" }).click();
  const picker = page.getByRole("dialog", { name: "Move people to Harbour south" });
  // Those who were chosen stay chosen while somebody else is searched.
  await picker.getByRole("checkbox", { name: /Bo Ek.*now in Default/ }).check();
  await picker.getByRole("searchbox").fill("carla");
  await expect.poll(() => picker.getByRole("checkbox").count()).toBe(1);
  await picker.getByRole("checkbox", { name: /Carla Mendes/ }).check();
  await picker.getByText("2 selected").waitFor();
  await picker.getByRole("button", { name: "Move 2 people here" }).click();
  await row(page, bo.email).waitFor();
  await row(page, carla.email).waitFor();
  expect((await world.rightsOf(carla)).organization).toBe(south);
  await page.getByRole("button", { name: "Move people here" }).click();
  await expect.poll(() => picker.getByRole("checkbox", { name: /Bo Ek.*already here/ }).isDisabled()).toBe(true);
  await page.keyboard.press("Escape");

  expect((await world.rightsOf(carla)).models.length).toBeGreaterThan(1);
  await page.getByLabel("Only selected models").check();
  await page.getByText("No models are selected").waitFor();
  await page.getByRole("checkbox", { name: "mistral" }).check();
  await page.getByText("Changed: models").waitFor();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("The organization was saved.").waitFor();
  expect((await world.rightsOf(carla)).models).toEqual(["mistral"]);
  expect((await world.rightsOf(dmitri)).models.length).toBeGreaterThan(1);
  await page.getByRole("button", { name: "Undo" }).last().click();
  await expect.poll(() => page.getByLabel("All models, including those added later").isChecked()).toBe(true);
  expect((await world.rightsOf(carla)).models.length).toBeGreaterThan(1);

  await page.getByLabel("Only these models").check();
  await page.getByRole("checkbox", { name: "mistral" }).check();
  await page.getByText("Changed: default models").waitFor();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("The organization was saved.").last().waitFor();
  expect((await world.rightsOf(carla)).defaultModels).toBe("mistral");
});

test("a group gives a permission to its members; what everyone has is shown and cannot be taken away", async () => {
  await world.makeSouth();
  const page = await world.open("/admin/groups");
  // The organizations may be known only after the dialog is open.
  const released = Promise.withResolvers<void>();
  await page.route("**/api/v1/organizations", async (route) => {
    await released.promise;
    await route.continue();
  });
  await page.reload();
  await page.getByRole("button", { name: "New group" }).first().click();
  await page.getByRole("dialog", { name: "New group" }).waitFor();
  released.resolve();
  const dialog = page.getByRole("dialog", { name: "New group" });
  await dialog.getByLabel("Name").fill("Night shift");
  await dialog.getByLabel("Description").fill("On duty until six");
  await expect
    .poll(() => dialog.getByLabel("Organization").locator("option").allTextContents())
    .toEqual(["Default", "Harbour south"]);
  await dialog.getByRole("button", { name: "Create group" }).click();
  await page.getByRole("heading", { level: 1, name: "Night shift" }).waitFor();
  const group = new URL(page.url()).pathname.replace("/admin/groups/", "/api/v1/groups/id/");

  const edits = page.getByRole("switch", { name: "Edit messages" });
  await expect.poll(async () => [await edits.isChecked(), await edits.isDisabled()]).toEqual([true, true]);
  await page.getByRole("switch", { name: "Use API keys" }).check();
  await page.getByText("Changed: Use API keys").waitFor();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("The group was saved.").waitFor();
  expect((await world.rightsOf(carla)).keys).toBe(false);

  // Somebody else changes it meanwhile: what is switched here comes on top of that.
  type Stored = { name: string; description: string; permissions: Record<string, Record<string, boolean>> };
  const before = await world.call<Stored>("GET", group);
  await world.call("POST", `${group}/update`, {
    name: "Night shift",
    description: "On duty until seven",
    permissions: { ...before.permissions, sharing: { ...before.permissions["sharing"], public_prompts: true } },
  });
  await page.getByRole("switch", { name: "Create models" }).check();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect
    .poll(() => world.call("GET", group))
    .toMatchObject({
      description: "On duty until seven",
      permissions: { features: { api_keys: true }, workspace: { models: true }, sharing: { public_prompts: true } },
    });
  await world.call("POST", `${group}/update`, before);

  await page.getByRole("button", { name: "Add people" }).click();
  const picker = page.getByRole("dialog", { name: "Add people to Night shift" });
  // A group of the default organization holds people of all.
  await picker.getByRole("checkbox", { name: /Carla Mendes/ }).check();
  await picker.getByRole("checkbox", { name: /Dmitri Volkov/ }).check();
  await picker.getByRole("button", { name: "Add 2 people" }).click();
  await row(page, carla.email).waitFor();
  expect((await world.rightsOf(carla)).keys).toBe(true);

  await page.getByRole("button", { name: "Remove Dmitri Volkov from the group" }).click();
  await expect.poll(() => row(page, dmitri.email).count()).toBe(0);
  expect((await world.rightsOf(dmitri)).keys).toBe(false);
  await expect.poll(() => focused(page)).toContain("People");
  await page.getByRole("button", { name: "Undo" }).last().click();
  await row(page, dmitri.email).waitFor();

  await page.getByRole("link", { name: "Groups", exact: true }).last().click();
  await row(page, "Night shift").getByText("Use API keys").waitFor();
  await page.getByRole("searchbox").fill("six");
  await page.getByText("1 of 1").waitFor();
  await page.getByRole("searchbox").fill("nothing like it");
  await page.getByText("No groups match “nothing like it”").waitFor();
  await page.reload();
  await page.getByText("No groups match “nothing like it”").waitFor();
});

test("an organization's switch closes a feature for its people, whatever their groups say", async () => {
  const south = await world.makeSouth();
  await world.makeNightShift([carla, dmitri]);
  const page = await world.open(`/admin/organizations/${south}`);
  await page.getByRole("switch", { name: "Use API keys" }).uncheck();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("The organization was saved.").waitFor();
  expect([(await world.rightsOf(carla)).keys, (await world.rightsOf(dmitri)).keys]).toEqual([false, true]);
  await page.getByRole("button", { name: "Undo" }).last().click();
  await expect.poll(() => page.getByRole("switch", { name: "Use API keys" }).isChecked()).toBe(true);
});

test("what everyone may do is saved, undone, and not left behind unsaved", async () => {
  const page = await world.open("/admin/groups");
  await page.getByRole("link", { name: "Default permissions" }).click();
  await page.getByRole("switch", { name: "Use API keys" }).check();
  await page.getByRole("link", { name: "People", exact: true }).click();
  await page.getByRole("button", { name: "Stay on this page" }).click();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("It applies from everyone's next request.").waitFor();
  expect((await world.rightsOf(bo)).keys).toBe(true);
  await page.getByRole("button", { name: "Undo" }).last().click();
  await expect.poll(() => page.getByRole("switch", { name: "Use API keys" }).isChecked()).toBe(false);
  expect((await world.rightsOf(bo)).keys).toBe(false);
});

test("landing rules are written, ordered by keyboard, mended, saved as one list, and tried", async () => {
  const south = await world.makeSouth();
  const page = await world.open("/admin/organizations");
  await page.getByRole("link", { name: "Assignment rules" }).click();
  await page.getByText("All others join Default").waitFor();
  const add = page.getByRole("button", { name: "Add a rule" });
  await add.click();
  await page.getByLabel("Domain").fill("south.harbour.example");
  await page.getByText("People with an e-mail at south.harbour.example join Harbour south").waitFor();
  await page.getByRole("button", { name: "Close rule 1" }).click();
  await add.click();
  await expect.poll(() => page.evaluate(() => document.activeElement?.localName)).toBe("select");
  await page.getByLabel("Match by").selectOption("attribute");
  await page.getByRole("button", { name: "Save rules" }).click();
  await page.getByText("A rule is incomplete.").waitFor();
  await expect.poll(() => page.getByLabel("Attribute", { exact: true }).getAttribute("aria-invalid")).toBe("true");
  await page.getByLabel("Attribute", { exact: true }).fill("department");
  await page.getByLabel("Value", { exact: true }).fill("Sales");
  await page.getByLabel("Join", { exact: true }).selectOption("Default");

  await page.getByRole("button", { name: "Move rule 2 up" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("The rule is number 1 of 2 now.").waitFor();
  // It cannot go further up: the focus goes on to the button that still can be pressed.
  await expect.poll(() => focused(page)).toBe("Move rule 1 down");
  await page.getByText("Only saved rules can be tried").waitFor();
  await page.getByRole("button", { name: "Save rules" }).click();
  await page.getByText("The rules were saved.").waitFor();
  const { rules } = await world.call<{ rules: { kind: string; value: string; organization_id: string }[] }>(
    "GET",
    "/api/v1/landing-rules",
  );
  expect(rules.map(({ kind, value }) => [kind, value])).toEqual([
    ["attribute", "Sales"],
    ["email_domain", "south.harbour.example"],
  ]);

  const tryIt = page.getByRole("form", { name: "Try it" });
  const decided = page.getByRole("listitem").filter({ hasText: "Applies" });
  await tryIt.getByLabel("E-mail").fill("eva@South.Harbour.example");
  await tryIt.getByRole("button", { name: "Try" }).click();
  await tryIt.getByText("Rule 2 applies: this person joins Harbour south.").waitFor();
  await expect.poll(() => decided.textContent()).toContain("south.harbour.example");
  await tryIt.getByLabel("Attributes").fill("department: Sales");
  await expect.poll(() => decided.count()).toBe(0);
  await tryIt.getByRole("button", { name: "Try" }).click();
  await tryIt.getByText("Rule 1 applies: this person joins Default.").waitFor();
  await tryIt.getByLabel("E-mail").fill("eva@elsewhere.example");
  await tryIt.getByLabel("Attributes").fill("");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await tryIt.getByText("No rule matches: this person joins Default.").waitFor();
  await expect.poll(() => decided.textContent()).toContain("All others");

  // The whole list is one save: who lands meanwhile sees the old one or the new one.
  await page.getByRole("button", { name: "Remove rule 1" }).click();
  await expect.poll(() => focused(page)).toBe("Remove rule 1");
  await page.getByText("Changed: 1 rule removed").waitFor();
  // Somebody else has saved another list, which is not replaced unseen.
  const theirs = rules.filter(({ kind }) => kind === "email_domain");
  await world.call("PUT", "/api/v1/landing-rules", { rules: theirs });
  await page.getByRole("button", { name: "Save rules" }).click();
  await page.getByText("Someone else changed this at the same time.").waitFor();
  expect(await world.call("GET", "/api/v1/landing-rules")).toMatchObject({ rules: [{ kind: "email_domain" }] });
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("People whose department is Sales").waitFor();

  const eva: Account = { name: "Eva Dahl", email: "eva@south.harbour.example", password: bo.password };
  await world.add(eva);
  expect((await world.rightsOf(eva)).organization).toBe(south);
});

test("people show their groups and organization, are moved, and made administrators of their organization", async () => {
  const south = await world.makeSouth();
  await world.makeNightShift([carla]);
  const page = await world.open("/admin/people");
  await row(page, carla.email).getByText("Harbour south").waitFor();
  await row(page, carla.email).getByText("Night shift").waitFor();
  await choose(page, `Actions for ${dmitri.name}`, "Move to another organization");
  const dialog = page.getByRole("dialog", { name: `Move ${dmitri.name}` });
  await dialog.getByRole("button", { name: "Move" }).click();
  await dialog.getByText("Choose an organization.").waitFor();
  await dialog.getByLabel("New organization").selectOption("Harbour south");
  await dialog.getByRole("button", { name: "Move" }).click();
  await row(page, dmitri.email).getByText("Harbour south").waitFor();
  expect((await world.rightsOf(dmitri)).organization).toBe(south);

  await choose(page, `Actions for ${bo.name}`, "Make organization admin");
  await row(page, bo.email).getByText("Organization admin").waitFor();
  await page.getByRole("link", { name: bo.name }).click();
  const panel = page.getByRole("complementary", { name: "Person" });
  await panel.getByText("Organization admin").waitFor();
  await panel.getByRole("link", { name: "Harbour south" }).waitFor();
});

test("an organization's administrator has its people and groups, and nothing else", async () => {
  const south = await world.makeSouth();
  const group = await world.makeNightShift([carla]);
  await world.call("POST", `/api/v1/users/${world.people.get(bo.name)}/update`, { organization_role: "admin" });
  const page = await world.open("/", bo);
  await page.getByRole("button", { name: /Account of/ }).click();
  await page.getByRole("menuitem", { name: "Administration" }).click();
  await row(page, carla.email).waitFor();
  await expect.poll(() => row(page, ada.email).count()).toBe(0);
  await expect.poll(() => page.locator("main table").textContent()).not.toContain("Harbour south");
  const rail = page.getByRole("navigation", { name: "Main navigation" });
  await expect
    .poll(() => rail.getByRole("link", { name: /Organizations|Connections|Settings|Overview/ }).count())
    .toBe(0);

  await choose(page, `Actions for ${carla.name}`, "Deactivate");
  await page.getByRole("dialog").getByRole("button", { name: "Deactivate" }).click();
  await row(page, carla.email).getByText("Deactivated").waitFor();
  await choose(page, `Actions for ${carla.name}`, "Activate");
  await row(page, carla.email).getByText("Member").waitFor();
  await page.getByRole("button", { name: `Actions for ${bo.name}` }).click();
  await expect
    .poll(() => page.getByRole("menuitem", { name: "Make regular member" }).getAttribute("aria-disabled"))
    .toBe("true");
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Add a person" }).click();
  const added: Account = { name: "Frida Moe", email: "frida@elsewhere.example", password: bo.password };
  const form = page.getByRole("dialog", { name: "Add a person" });
  await expect.poll(() => form.getByLabel("Role").locator("option").allTextContents()).toEqual(["Member", "Waiting"]);
  await form.getByLabel("Name", { exact: true }).fill(added.name);
  await form.getByLabel("E-mail").fill(added.email);
  await form.getByLabel("Password", { exact: true }).fill(added.password);
  await form.getByRole("button", { name: "Add person" }).click();
  await row(page, added.email).waitFor();
  expect((await world.rightsOf(added)).organization).toBe(south);

  await rail.getByRole("link", { name: "Groups" }).click();
  await page.getByRole("button", { name: "New group" }).first().click();
  await page.getByRole("dialog").getByLabel("Name").fill("South pilots");
  await page.getByRole("dialog").getByRole("button", { name: "Create group" }).click();
  await page.getByRole("heading", { level: 1, name: "South pilots" }).waitFor();
  const keys = page.getByRole("switch", { name: "Use API keys" });
  await expect.poll(() => keys.isDisabled()).toBe(true);
  await page.getByText("You don't have this permission, so you can't give it.").first().waitFor();
  await page.getByText("Change their messages and answers afterwards. On for everyone.").waitFor();
  await page.getByRole("button", { name: "Add people" }).click();
  const picker = page.getByRole("dialog", { name: "Add people to South pilots" });
  await picker.getByRole("checkbox", { name: /Carla Mendes/ }).check();
  await expect.poll(() => picker.getByRole("checkbox", { name: /Ada/ }).count()).toBe(0);
  await picker.getByRole("button", { name: "Add 1 person" }).click();
  await row(page, carla.email).waitFor();

  for (const path of ["/admin/organizations", "/admin/groups/everyone", "/admin/connections"]) {
    await page.goto(path);
    await page.getByRole("heading", { name: "Administrators only" }).waitFor();
  }
  await page.goto(`/admin/groups/${group}`);
  await page.getByText("This group no longer exists, or you don't have access to it.").waitFor();
});

test("a connection and a model are given to an organization", async () => {
  const south = await world.makeSouth();
  const page = await world.open("/admin/connections");
  await page.getByRole("link", { name: "Harbour gateway" }).click();
  await page.getByLabel("Available to").selectOption("Harbour south");
  await page.getByText("Changed: available to").waitFor();
  await page.getByRole("button", { name: "Save connection" }).click();
  await page.getByText("The connection was saved.").waitFor();
  const [stored] = await world.call<{ organization_id: string | null }[]>("GET", "/api/v1/connections");
  expect(stored?.organization_id).toBe(south);
  await pressLink(page, `/admin/organizations/${south}`);
  await page.getByRole("link", { name: "Harbour gateway" }).click();
  await page.getByLabel("Available to").selectOption("Everyone");
  await page.getByRole("button", { name: "Save connection" }).click();
  await page.getByText("The connection was saved.").waitFor();

  await pressLink(page, "/admin/models/new");
  await page.getByLabel("Selected people, groups and organizations").check();
  await page.getByRole("searchbox", { name: "Add a person, group or organization" }).fill("harbour so");
  await page.getByRole("button", { name: "Harbour south Organization" }).click();
  await page.getByRole("button", { name: "Remove Harbour south" }).waitFor();
});

test("an organization is switched off and on again, is deleted once it is empty, and the default one stays", async () => {
  const south = await world.makeSouth();
  const rule = { kind: "email_domain", value: "south.harbour.example", organization_id: south };
  await world.call("PUT", "/api/v1/landing-rules", { rules: [rule] });
  const page = await world.open("/admin/organizations");
  await choose(page, "Actions for Harbour south", "Switch off");
  await page.getByText(/Its \d people are blocked immediately/).waitFor();
  await page.getByRole("button", { name: "Switch off", exact: true }).click();
  await row(page, "Harbour south").getByText("Switched off").waitFor();
  await expect(world.rightsOf(carla)).rejects.toThrow("403");
  await pressLink(page, "/admin/organizations/landing");
  await page.getByText("Switched off: skipped").waitFor();
  await pressLink(page, "/admin/organizations");
  await choose(page, "Actions for Harbour south", "Switch on");
  await row(page, "Harbour south").getByText("Active").waitFor();
  await page.getByRole("button", { name: "Actions for Harbour south" }).click();
  const remove = page.getByRole("menuitem", { name: "Delete" });
  await expect.poll(() => remove.getAttribute("aria-disabled")).toBe("true");
  await expect.poll(() => remove.textContent()).toMatch(/Still has \d people/);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Actions for Default" }).click();
  await expect.poll(() => remove.textContent()).toContain("Not for the default organization");
  await page.keyboard.press("Escape");

  const { id } = await world.call<{ id: string }>("POST", "/api/v1/organizations", { name: "Old quay" });
  await pressLink(page, `/admin/organizations/${id}`);
  await page.getByRole("textbox", { name: "Name" }).fill("Older quay");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Older quay" }).waitFor();
  await page.getByRole("button", { name: "Delete organization" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete organization" }).click();
  await page.getByText("The organization Older quay was deleted.").waitFor();
  await page.getByRole("heading", { level: 1, name: "Organizations" }).waitFor();
  await expect.poll(() => row(page, "Older quay").count()).toBe(0);
  await pressLink(page, `/admin/organizations/${id}`);
  await page.getByText("This organization no longer exists.").first().waitFor();
});
