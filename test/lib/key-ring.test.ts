import { describe, expect, test } from "vitest";
import { toBase64 } from "../../src/lib/base64.ts";
import { parseKeyRing } from "../../src/lib/key-ring.ts";
import { createVault } from "../../src/lib/vault.ts";
import { createTokenSigner } from "../../src/people/auth/tokens.ts";

const bytes = () => toBase64(crypto.getRandomValues(new Uint8Array(32)));
const ring = (current: string, keys: Record<string, string>) => parseKeyRing(JSON.stringify({ current, keys }));

describe("the key ring", () => {
  test.each([
    ["", "it is not a JSON object"],
    ["{}", "it has no keys"],
    ["null", "it is not a JSON object"],
    ['{"current":"a","keys":{}}', "current is not the name of one of its keys"],
    ['{"current":"a","keys":{"a":"AAAA"}}', "the key a has 3 bytes instead of 32"],
    ['{"current":"b","keys":{"a":"*"}}', "the key a is not base64"],
    [`{"current":"a","keys":{"a":"${bytes()}","b":"AAAA"}}`, "the key b has 3 bytes instead of 32"],
    [`{"current":"a.b","keys":{"a.b":"${bytes()}"}}`, "names of keys have letters, digits, - and _ only"],
  ])("refuses %j, says why and does not show it", (text, reason) => {
    expect(() => parseKeyRing(text)).toThrow(`PARLEY_SECRET_KEYS is not a key ring (${reason}), expected {"current"`);
  });

  test("seals under the current key and opens what older keys sealed", async () => {
    const [a, b] = [bytes(), bytes()];
    const sealed = await createVault(ring("a", { a })).seal("sk-secret ключ");
    expect(sealed).not.toContain("secret");
    expect(await createVault(ring("b", { a, b })).open(sealed)).toBe("sk-secret ключ");
    await expect(createVault(ring("b", { b })).open(sealed)).rejects.toThrow();
    await expect(createVault(ring("a", { a })).open(`${sealed.slice(0, -6)}AAAA==`)).rejects.toThrow();
  });

  test("the same text is sealed differently each time", async () => {
    const vault = createVault(ring("a", { a: bytes() }));
    expect(await vault.seal("x")).not.toBe(await vault.seal("x"));
  });
});

describe("tokens", () => {
  const claims = { id: "user-1", jti: "session-1", iat: 1_700_000_000 };
  const later = () => Math.floor(Date.now() / 1000) + 60;

  test("hold over a rotation and end with their key, their time, or a change", async () => {
    const [a, b] = [bytes(), bytes()];
    const token = await createTokenSigner(ring("a", { a })).sign(claims, later());
    expect(await createTokenSigner(ring("b", { a, b })).verify(token)).toEqual({ id: "user-1", jti: "session-1" });
    expect(await createTokenSigner(ring("b", { b })).verify(token)).toBeUndefined();
    const [head, body, signature] = token.split(".");
    const forged = btoa(JSON.stringify({ ...JSON.parse(atob(body!)), id: "admin" })).replaceAll("=", "");
    expect(await createTokenSigner(ring("a", { a })).verify(`${head}.${forged}.${signature}`)).toBeUndefined();
    expect(
      await createTokenSigner(ring("a", { a })).verify(
        await createTokenSigner(ring("a", { a })).sign(claims, 1_700_000_001),
      ),
    ).toBeUndefined();
  });

  test("one without an end has none", async () => {
    const signer = createTokenSigner(ring("a", { a: bytes() }));
    const token = await signer.sign(claims, null);
    expect(JSON.parse(atob(token.split(".")[1]!))).not.toHaveProperty("exp");
    expect(await signer.verify(token)).toBeDefined();
  });

  test.each([
    "",
    "x",
    "a.b.c",
    `${btoa('{"alg":"none","kid":"a"}').replaceAll("=", "")}.${btoa('{"id":"u","jti":"s"}').replaceAll("=", "")}.`,
  ])("%j is no token", async (token) => {
    expect(await createTokenSigner(ring("a", { a: bytes() })).verify(token)).toBeUndefined();
  });
});
