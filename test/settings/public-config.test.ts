import { afterEach, beforeEach, describe, expect, test } from "vitest";
import packageFile from "../../package.json" with { type: "json" };
import { createWorld, type World } from "../world.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.close());

const config = async (as?: { token: string } | string) =>
  (await world.call<Record<string, unknown> & { features: Record<string, boolean> }>("/api/config", as ? { as } : {}))
    .body;

describe("GET /api/config", () => {
  test("tells a stranger that nobody is here yet, and no longer once somebody is", async () => {
    expect(await config()).toMatchObject({
      onboarding: true,
      status: true,
      name: "Parley",
      version: packageFile.version,
      oauth: { providers: {} },
      features: { auth: true, enable_signup: true, enable_login_form: true },
    });
    await world.admin();
    expect(await config()).not.toHaveProperty("onboarding");
  });

  test("tells strangers nothing of what people see", async () => {
    await world.admin();
    expect(Object.keys(await config()).sort()).toEqual([
      "default_locale",
      "features",
      "name",
      "oauth",
      "status",
      "version",
    ]);
    expect(await config()).not.toHaveProperty("features.enable_password_change_form");
  });

  test("takes a credential that has ended, or is none, as none", async () => {
    const ada = await world.person();
    await world.client.execute("DELETE FROM sessions");
    for (const token of [ada.token, "nonsense", "sk-nonsense"])
      expect(await config(token)).not.toHaveProperty("permissions");
    for (const authorization of ["Bearer", "Basic YTpi"])
      expect((await world.request("/api/config", { headers: { authorization } })).status).toBe(200);
  });

  test("tells people who wait what the waiting page says, and no more", async () => {
    await world.client.execute(`INSERT INTO settings VALUES ('PENDING_USER_OVERLAY_TITLE', '"Welcome"', 0)`);
    const body = await config(await world.person({ role: "pending" }));
    expect(body).toMatchObject({ ui: { pending_user_overlay_title: "Welcome", pending_user_overlay_content: "" } });
    expect(body).not.toHaveProperty("permissions");
    expect(body).not.toHaveProperty("default_models");
  });

  test("tells people the default models and what everyone may do", async () => {
    await world.client.execute(`INSERT INTO settings VALUES ('DEFAULT_MODELS', '"small,large"', 0)`);
    const body = await config(await world.person({ role: "admin" }));
    expect(body).toMatchObject({
      default_models: "small,large",
      permissions: { workspace: { models: false } },
      features: { enable_password_change_form: true, enable_notes: false },
    });
  });

  test("takes two round trips: the caller, and whether somebody is here or which notices there are", async () => {
    const ada = await world.person();
    world.roundTrips.reset();
    await config();
    expect(world.roundTrips.count).toBe(2);
    world.roundTrips.reset();
    await config(ada);
    expect(world.roundTrips.count).toBe(2);
  });
});

test("GET /api/version tells the version without asking the database", async () => {
  world.roundTrips.reset();
  const { version } = packageFile;
  expect((await world.call("/api/version")).body).toEqual({ version, deployment_id: "", commit: null });
  world.services.commit = "0123456789abcdef0123456789abcdef01234567";
  expect((await world.call("/api/version")).body).toMatchObject({ commit: world.services.commit });
  expect(world.roundTrips.count).toBe(0);
});
