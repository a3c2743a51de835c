import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDirectory, type Directory } from "./directory.ts";
import { type Resource } from "./scim-world.ts";

let world: Directory;
let everyone: Resource[];
let groups: Resource[];
let list: Directory["list"];
beforeAll(async () => {
  world = await createDirectory();
  ({ everyone, groups, list } = world);
});
afterAll(() => world.close());

describe("what it costs", () => {
  test.each([
    ["Users", 'userName eq "user1@harbour.example"'],
    ["Users", 'externalId eq "Ext-0"'],
    ["Users", 'id eq "x"'],
    ["Users", 'userName eq "user1@harbour.example" and active eq true'],
    ["Groups", 'displayName eq "Group 1"'],
    ["Groups", 'externalId eq "g1"'],
    ["Groups", 'id eq "x" and members[value eq "y"]'],
  ] as const)("%s by %s reads an index, not the table", async (kind, filter) => {
    const statements = await recorded(() => list(`filter=${encodeURIComponent(filter)}`, kind));
    const read = statements.filter(({ sql }) => /^select/i.test(sql) && sql.includes(`from "${kind.toLowerCase()}"`));
    expect(read).toHaveLength(2);
    for (const statement of read) {
      const plan = await world.client.execute({
        sql: `EXPLAIN QUERY PLAN ${statement.sql}`,
        args: statement.args as string[],
      });
      const steps = plan.rows.map((row) => String(row.detail));
      expect(steps.filter((step) => new RegExp(`^SCAN (${kind.toLowerCase()}|i|identities)\\b`).test(step))).toEqual(
        [],
      );
      expect(steps.some((step) => step.startsWith("SEARCH"))).toBe(true);
    }
  });

  test("no call takes more than three round trips, whatever it answers", async () => {
    const cost = async (call: () => Promise<unknown>) => {
      await world.settled();
      world.roundTrips.reset();
      await call();
      await world.settled();
      return world.roundTrips.count;
    };
    const { id } = everyone[1]!;
    const made: Resource[] = [];
    const calls: (() => Promise<unknown>)[] = [
      () => world.scim("GET", "/Users?count=100"),
      () => world.scim("GET", `/Users/${id}`),
      () => world.scim("GET", "/Users/nobody"),
      () => world.find("Users", "broken"),
      async () => made.push(await world.makeUser()),
      () => world.scim("POST", "/Users", { userName: everyone[1]!.userName }),
      () => world.scim("POST", "/Users", { userName: "broken" }),
      () => world.scim("PUT", `/Users/${id}`, { userName: everyone[1]!.userName }),
      () => world.scim("PUT", `/Users/${id}`, { userName: everyone[2]!.userName }),
      () => world.patch(`/Users/${id}`, { op: "replace", path: "active", value: false }),
      () => world.patch(`/Users/${id}`, { op: "replace", path: "userName", value: everyone[2]!.userName }),
      () => world.patch(`/Users/${id}`, { op: "replace", path: "nothing", value: "x" }),
      () => world.patch("/Users/nobody", { op: "replace", path: "active", value: false }),
      () => world.scim("DELETE", `/Users/${made[0]!.id}`),
      () => world.scim("DELETE", "/Users/nobody"),
      () => world.scim("GET", "/Groups"),
      () => world.scim("POST", "/Groups", { displayName: "Cost", members: [{ value: id }] }),
      () => world.scim("POST", "/Groups", { displayName: "Cost" }),
      () => world.patch(`/Groups/${groups[0]!.id}`, { op: "add", path: "members", value: [{ value: id }] }),
      () => world.patch(`/Groups/${groups[0]!.id}`, { op: "replace", path: "displayName", value: "Cost" }),
      () => world.scim("PUT", `/Groups/${groups[0]!.id}`, { displayName: "Costs", members: [] }),
      () => world.scim("DELETE", `/Groups/${groups[0]!.id}`),
      () => world.scim("GET", "/ServiceProviderConfig"),
    ];
    for (const [index, call] of calls.entries())
      expect([index, await cost(call)]).toEqual([index, expect.toSatisfy((count: number) => count <= 3)]);
  });

  /** The statements that reach the database meanwhile. */
  async function recorded(work: () => Promise<unknown>) {
    const seen: { sql: string; args: unknown }[] = [];
    const { batch } = Object.getPrototypeOf(world.client) as typeof world.client;
    world.client.batch = function record(statements, mode) {
      for (const statement of statements)
        if (typeof statement === "object" && "sql" in statement)
          seen.push({ sql: statement.sql, args: statement.args });
      return batch.call(this, statements, mode);
    };
    try {
      await work();
    } finally {
      Reflect.deleteProperty(world.client, "batch");
    }
    return seen;
  }
});
