import { argon2i, argon2id } from "@noble/hashes/argon2.js";
import { hashSync } from "bcryptjs";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkOldHash } from "../../../src/people/auth/passwords/check-old-hash.ts";
import { isOldHash } from "../../../src/people/auth/passwords/old-hash.ts";
import { createWorld, type World } from "../../world.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const bare = (text: Uint8Array) => Buffer.from(text).toString("base64").replaceAll("=", "");
const salt = bytes("sixteen bytes ok");

function argon2(type: "i" | "id", password: string, version = 19): string {
  const options = { m: 64, t: 2, p: 2, version, dkLen: 32 };
  const hash = (type === "i" ? argon2i : argon2id)(bytes(password), salt, options);
  return `$argon2${type}$${version === 16 ? "" : `v=${version}$`}m=64,t=2,p=2$${bare(salt)}$${bare(hash)}`;
}

describe("a hash of another product", () => {
  // Of bcrypt's own test vectors (OpenBSD), and PHC's of argon2.
  test.each([
    ["U*U", "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"],
    ["correct horse", hashSync("correct horse", 4)],
    ["correct horse", hashSync("correct horse", 4).replace("$2b$", "$2y$")],
    ["Zoë 日本", hashSync("Zoë 日本", 4)],
    ["correct horse", argon2("id", "correct horse")],
    ["correct horse", argon2("i", "correct horse")],
    ["correct horse", argon2("id", "correct horse", 16)],
    ["password", "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"],
  ])("of %j is checked", async (password, stored) => {
    expect(isOldHash(stored)).toBe(true);
    expect(await checkOldHash(bytes(password), stored)).toBe(true);
    expect(await checkOldHash(bytes(`${password}x`), stored)).toBe(false);
  });

  test("by bcrypt is of the first 72 bytes, as the other product cut them", async () => {
    const stored = hashSync("a".repeat(72), 4);
    expect(await checkOldHash(bytes("a".repeat(90)), stored)).toBe(true);
    expect(await checkOldHash(bytes("a".repeat(71)), stored)).toBe(false);
  });

  test.each([
    "",
    "secret",
    "$2b$10$abcdefghijklmnopqrstuv",
    `$2b$31$${"a".repeat(53)}`,
    `$2b$03$${"a".repeat(53)}`,
    argon2("id", "x").replace("m=64", "m=1048576"),
    argon2("id", "x").replace("t=2", "t=9999"),
    argon2("id", "x").replace("m=64,t=2,p=2", "m=8,t=1,p=2"),
    argon2("id", "x").replace("p=2", "p=0"),
    argon2("id", "x").replace("argon2id", "argon2d"),
  ])("like %j is not checked at all", async (stored) => {
    expect(isOldHash(stored)).toBe(false);
    expect(await checkOldHash(bytes("x"), stored)).toBe(false);
  });

  test("of any form never throws", async () => {
    const part = fc.constantFrom("$", "2b", "argon2id", "m=8,t=1,p=1", "v=19", "AAAAAAAAAAAAAAAAAAAAAA", "=", "05");
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(part, fc.string()), { maxLength: 8 }), async (parts) => {
        expect(await checkOldHash(bytes("x"), parts.join("$"))).toBe(false);
      }),
    );
  });
});

describe("signing in with an imported hash", () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world.close());

  const signIn = (email: string, password: string) =>
    world.call<{ code: string }>("/api/v1/auths/signin", { json: { email, password } });

  async function personWith(hash: string) {
    const person = await world.person({ password: "another one" });
    await world.client.execute({ sql: "UPDATE passwords SET hash = ? WHERE user_id = ?", args: [hash, person.id] });
    const stored = async () =>
      (await world.client.execute({ sql: "SELECT hash FROM passwords WHERE user_id = ?", args: [person.id] })).rows[0]![
        "hash"
      ];
    return { ...person, stored };
  }

  test.each([
    ["bcrypt", hashSync("correct horse", 4)],
    ["argon2", argon2("id", "correct horse")],
  ])("by %s replaces it once the password is right", async (_, hash) => {
    const { email, stored } = await personWith(hash);
    expect(await signIn(email, "wrong")).toMatchObject({ status: 400, body: { code: "invalid_credentials" } });
    expect(await stored()).toBe(hash);
    expect((await signIn(email, "correct horse")).status).toBe(200);
    expect(await stored()).toMatch(/^\$scrypt\$ln=4,r=8,p=1\$/);
    expect((await signIn(email, "correct horse")).status).toBe(200);
    expect((await signIn(email, "wrong")).status).toBe(400);
  });

  test("that is no hash refuses every password", async () => {
    const { email } = await personWith("$2b$05$nonsense");
    expect(await signIn(email, "correct horse")).toMatchObject({ status: 400, body: { code: "invalid_credentials" } });
  });

  test("does the work of somebody's for an address without an account", async () => {
    await world.client.execute({ sql: "UPDATE passwords SET hash = ?", args: [hashSync("correct horse", 4)] });
    const { checkOldHash: check } = world.services;
    let checks = 0;
    world.services.checkOldHash = async (...given) => {
      checks += 1;
      return check(...given);
    };
    expect(await signIn("nobody@harbour.example", "correct horse")).toMatchObject({ status: 400 });
    expect(checks).toBe(1);
  });
});
