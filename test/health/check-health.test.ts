import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createDatabase } from "../../src/db/client.ts";
import { checkHealth } from "../../src/health/check-health.ts";
import { createWorld, type World } from "../world.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(async () => {
  vi.useRealTimers();
  await world.close();
});

describe("level 1", () => {
  test.each(["/health", "/health/db", "/ready"])(
    "%s is 200 for everyone, with or without a credential",
    async (path) => {
      for (const headers of [{}, { authorization: "Bearer nonsense" }, { cookie: "token=nonsense" }]) {
        const { status, body, headers: answered } = await world.call(path, { headers });
        expect([status, body]).toEqual([200, { status: true }]);
        expect(answered.get("cache-control")).toBe("no-store");
      }
    },
  );

  test("is 503 while a migration is missing, and does not mind a newer one", async () => {
    await world.client.execute("INSERT INTO schema_migrations VALUES ('9999_later', 0)");
    expect((await world.call("/health")).status).toBe(200);
    await world.client.execute("DELETE FROM schema_migrations WHERE name LIKE '0000%'");
    expect(await world.call("/health")).toMatchObject({
      status: 503,
      body: { status: false, reason: "schema_outdated" },
    });
    await world.client.execute("DROP TABLE schema_migrations");
    expect(await world.call("/health")).toMatchObject({
      status: 503,
      body: { status: false, reason: "schema_outdated" },
    });
  });

  test("is 503 when the database connection was closed", async () => {
    world.client.close();
    expect(await world.call("/health")).toMatchObject({
      status: 503,
      body: { status: false, reason: "database_unreachable" },
    });
  });

  test("is 503 when the database is silent for 1.5 s", async () => {
    vi.useFakeTimers();
    const silent = { execute: () => new Promise(() => undefined) };
    const check = checkHealth(createDatabase(silent as never), []);
    await vi.advanceTimersByTimeAsync(1499);
    const early = await Promise.race([check, Promise.resolve("waiting")]);
    expect(early).toBe("waiting");
    await vi.advanceTimersByTimeAsync(1);
    expect(await check).toBe("database_slow");
  });
});
