import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { maxWaitingSeconds, sweepIdentity } from "../../../src/people/sweep-identity.ts";
import { createWorld, type Person, type World } from "../../world.ts";

let world: World;
let admin: Person;
beforeEach(async () => {
  world = await createWorld({ environment: { MAX_WAITING_ACCOUNTS: "2" } });
  admin = await world.admin();
});
afterEach(() => world.close());

const signUp = (name: string, more: object = {}) =>
  world.call<{ id: string; role: string; token: string; code: string }>("/api/v1/auths/signup", {
    json: { name, email: `${name}@harbour.example`, password: "correct horse", ...more },
  });
const setRole = (id: string, role: string) => world.call(`/api/v1/users/${id}/update`, { as: admin, json: { role } });
const exists = async (id: string) => (await world.call(`/api/v1/users/${id}`, { as: admin })).status === 200;

describe("accounts that wait to be activated", () => {
  test("are so many and no more, and each one that is activated makes room", async () => {
    const [first, , third] = [await signUp("ada"), await signUp("bo"), await signUp("cy")];
    expect(third).toMatchObject({ status: 429, body: { code: "too_many_requests" } });
    expect(third.headers.get("retry-after")).toBe("3600");
    expect((await setRole(first.body.id, "user")).status).toBe(200);
    expect((await signUp("cy")).body.role).toBe("pending");
  });

  test("are so many, however many sign up at once", async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, (_, at) => signUp(`person${at}`)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
  });

  test("do not keep others out where people need not wait", async () => {
    await signUp("ada");
    await signUp("bo");
    await world.call("/api/v1/auths/admin/config", { as: admin, json: { DEFAULT_USER_ROLE: "user" } });
    expect((await signUp("cy")).body.role).toBe("user");
  });

  test("end after a week, with an entry in the audit log; others stay", async () => {
    const [waits, wasActive] = [(await signUp("ada")).body, (await signUp("bo")).body];
    await setRole(wasActive.id, "user");
    await setRole(wasActive.id, "pending");
    world.advance(maxWaitingSeconds);
    await sweepIdentity(world.services);
    expect(await exists(waits.id)).toBe(true);
    world.advance(1);
    await sweepIdentity(world.services);
    expect([await exists(waits.id), await exists(wasActive.id), await exists(admin.id)]).toEqual([false, true, true]);
    const { rows } = await world.client.execute({
      sql: "SELECT actor_kind, detail ->> 'reason' AS reason FROM audit_events WHERE action = 'user.deleted' AND target_id = ?",
      args: [waits.id],
    });
    expect(rows).toMatchObject([{ reason: "never_activated" }]);
  });

  test("store no picture that strangers bring", async () => {
    const picture = "data:image/png;base64,iVBORw0KGgo=";
    await signUp("ada", { profile_image_url: picture });
    const { rows } = await world.client.execute("SELECT count(*) AS n FROM profile_images");
    expect(rows[0]!.n).toBe(0);
  });
});
