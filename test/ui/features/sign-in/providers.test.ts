import { expect, test } from "vitest";
import { ssoErrorCode } from "../../../../src/people/auth/oidc/schema.ts";
import { mayGoOn, providerAddress } from "../../../../src/ui/features/sign-in/providers.ts";
import { texts } from "../../../../src/ui/features/sign-in/texts.ts";

/** As much of a browser's storage as is used. */
function storage(): Storage {
  const values = new Map<string, string>();
  return {
    getItem: (name: string) => values.get(name) ?? null,
    setItem: (name: string, value: string) => void values.set(name, value),
  } as Storage;
}
const one = { providers: { oidc: "Harbour ID" }, auto_redirect: true };
const at = (query: string, oauth = one) => mayGoOn(oauth, new URLSearchParams(query), storage(), 1_000_000);

test("where a sign-in begins keeps where the person wanted to go", () => {
  expect(providerAddress("oidc", "/")).toBe("/oauth/oidc/login");
  expect(providerAddress("a/b", "/c/1?x=2")).toBe("/oauth/a%2Fb/login?next=%2Fc%2F1%3Fx%3D2");
});

test("the page goes on by itself to the only provider, where that is wished", () => {
  expect(at("next=/settings")).toBe(true);
  expect(at("", { ...one, auto_redirect: false })).toBe(false);
  expect(at("", { ...one, providers: { oidc: "A", google: "B" } as never })).toBe(false);
  expect(at("", { ...one, providers: {} as never })).toBe(false);
});

test("it stays after a failure and after signing out, which would otherwise be undone at once", () => {
  expect(at("error=sso_denied")).toBe(false);
  expect(at("signed_out=1")).toBe(false);
});

test("it does not go round in circles", () => {
  const kept = storage();
  const go = (now: number) => mayGoOn(one, new URLSearchParams(), kept, now);
  expect([go(1_000_000), go(1_005_000), go(1_100_000)]).toEqual([true, false, true]);
});

test("every code of a failed sign-in has words", () => {
  expect(Object.keys(texts.sso.errors).toSorted()).toEqual(ssoErrorCode.options.toSorted());
});
