import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { contextWith } from "../../../src/context.ts";
import { serviceContext } from "../../../src/people/auth/service-context.ts";
import { maxRows, noteWrongSignIn } from "../../../src/people/auth/sign-in/note-sign-in.ts";
import { createWorld, type World } from "../../world.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld({
    environment: { CLIENT_ADDRESS_HEADER: "x-client", METRICS_TOKEN: "the-token-of-the-monitor" },
  });
});
afterEach(() => world.close());

const agent = "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0";
const from = (address: string) => ({ "x-client": address, "user-agent": agent });

const signIn = (email: string, password: string, address = "192.0.2.7") =>
  world.call("/api/v1/auths/signin", { json: { email, password }, headers: from(address) });

interface Row {
  action: string;
  target_type: string;
  target_id: string;
  organization_id: string | null;
  detail: Record<string, unknown>;
}
async function rows(action: string): Promise<Row[]> {
  const { rows: found } = await world.client.execute({
    sql: "SELECT action, target_type, target_id, organization_id, detail FROM audit_events WHERE action = ? ORDER BY at, id",
    args: [action],
  });
  return found.map((row) => ({ ...row, detail: JSON.parse(String(row["detail"])) }) as unknown as Row);
}

describe("the audit log", () => {
  test("has right sign-ins and sign-outs, with where they came from", async () => {
    const ada = await world.signUp({ email: "ada@example.com", password: "correct horse" });
    const { body } = await signIn("ada@example.com", "correct horse");
    const token = String(body["token"]);
    await world.request("/api/v1/auths/signout", {
      method: "POST",
      headers: { ...from("2001:db8::1"), authorization: `Bearer ${token}` },
    });
    const [first] = await rows("auth.signed_in");
    expect(first).toMatchObject({
      target_id: ada.id,
      detail: { method: "password", address: "192.0.2.7", user_agent: agent },
    });
    expect(first!.organization_id).not.toBeNull();
    expect(await rows("auth.signed_out")).toMatchObject([{ target_id: ada.id, detail: { address: "2001:db8::1" } }]);
    // The same token has no session that could end again.
    await world.request("/api/v1/auths/signout", { method: "POST", headers: { authorization: `Bearer ${token}` } });
    expect(await rows("auth.signed_out")).toHaveLength(1);
  });

  test("sums up wrong sign-ins of an account by network and hour", async () => {
    const ada = await world.signUp({ email: "ada@example.com", password: "correct horse" });
    for (const address of ["192.0.2.7", "192.0.2.8", "198.51.100.1"])
      expect((await signIn("ada@example.com", "wrong horse", address)).status).toBe(400);
    const found = await rows("auth.sign_in_failed");
    expect(found.map(({ target_id, detail }) => [target_id, detail["network"], detail["attempts"]]).toSorted()).toEqual(
      [
        [ada.id, "192.0.2.0/24", 2],
        [ada.id, "198.51.100.0/24", 1],
      ],
    );
    expect(found[0]!.detail["error"]).toBe("invalid_credentials");
    world.advance(3600);
    await signIn("ada@example.com", "wrong horse");
    expect(await rows("auth.sign_in_failed")).toHaveLength(3);
  });

  test("keeps nothing of addresses that no account has, and one row for all of them from a network", async () => {
    await world.signUp();
    for (const name of ["hunter2", "grace", "secret"]) await signIn(`${name}@example.com`, "wrong horse");
    const found = await rows("auth.sign_in_failed");
    expect(found).toMatchObject([
      { target_type: "network", target_id: "192.0.2.0/24", organization_id: null, detail: { attempts: 3 } },
    ]);
    expect(JSON.stringify(found)).not.toMatch(/hunter2|grace|secret/);
  });

  test("does not grow beyond a bound, whoever tries from wherever", async () => {
    const people = [];
    for (let count = 0; count < maxRows.network + 5; count += 1)
      people.push((await world.person({ email: `p${count}@example.com` })).id);
    const ctx = contextWith(await serviceContext(world.services), {});
    const wrong = (userId: string | undefined, address: string) =>
      noteWrongSignIn(ctx, { error: "invalid_credentials", userId }, { address, userAgent: "" });
    for (const id of people) await wrong(id, "192.0.2.7");
    const here = await rows("auth.sign_in_failed");
    expect(here).toHaveLength(maxRows.network + 1);
    expect(here.find(({ target_type }) => target_type === "network")).toMatchObject({
      target_id: "192.0.2.0/24",
      detail: { attempts: 5 },
    });
    for (let count = 0; count < maxRows.everywhere; count += 1)
      await wrong(undefined, `10.${count >> 8}.${count & 255}.1`);
    const all = await rows("auth.sign_in_failed");
    expect(all).toHaveLength(maxRows.everywhere + 1);
    const sum = all.reduce((total, { detail }) => total + Number(detail["attempts"]), 0);
    expect(sum).toBe(people.length + maxRows.everywhere);
    expect(all.find(({ target_id }) => target_id === "many networks")?.detail["attempts"]).toBe(maxRows.network + 1);
    // What is there already still counts.
    await wrong(people[0], "192.0.2.9");
    expect(await rows("auth.sign_in_failed")).toHaveLength(maxRows.everywhere + 1);
  });

  test("says that an account is switched off", async () => {
    await world.signUp();
    await world.person({ email: "off@example.com", password: "correct horse", active: false });
    expect((await signIn("off@example.com", "correct horse")).status).toBe(401);
    expect(await rows("auth.sign_in_failed")).toMatchObject([
      { target_type: "user", detail: { error: "account_inactive" } },
    ]);
  });
});

test("people see their own, and only theirs", async () => {
  const ada = await world.signUp({ email: "ada@example.com", password: "correct horse" });
  const grace = await world.person({ email: "grace@example.com", password: "battery staple" });
  await signIn("ada@example.com", "wrong horse");
  await signIn("ada@example.com", "wrong horse");
  await signIn("grace@example.com", "battery staple");
  world.advance(60);
  await signIn("ada@example.com", "correct horse");
  const seen = async (as: typeof ada) =>
    (await world.call<{ sign_ins: Record<string, unknown>[] }>("/api/v1/auths/sign-ins", { as })).body.sign_ins;
  expect(await seen(ada)).toMatchObject([
    { kind: "signed_in", attempts: 1, address: "192.0.2.7", user_agent: agent },
    { kind: "failed", attempts: 2 },
  ]);
  expect(await seen(grace)).toMatchObject([{ kind: "signed_in" }]);
  expect((await world.request("/api/v1/auths/sign-ins")).status).toBe(401);
});

test("wrong keys are only counted", async () => {
  await world.signUp({ email: "ada@example.com", password: "correct horse" });
  await signIn("ada@example.com", "wrong horse");
  await signIn("ada@example.com", "correct horse");
  for (let times = 0; times < 3; times += 1)
    await world.call("/api/v1/chats/", { headers: { authorization: "Bearer sk-0123456789abcdef" } });
  const { body } = await world.call<string>("/metrics", {
    headers: { authorization: "Bearer the-token-of-the-monitor" },
  });
  const figure = (way: string, outcome: string) =>
    new RegExp(`^parley_sign_ins_total\\{way="${way}",outcome="${outcome}"\\} (\\d+)$`, "m").exec(body)?.[1];
  expect(figure("key", "failed")).toBe("3");
  expect(figure("password", "failed")).toBe("1");
  expect(figure("password", "done")).toBe("1");
  expect(await rows("auth.sign_in_failed")).toHaveLength(1);
});
