import { expect } from "vitest";
import { applyUserPatch, type ScimUserDocument } from "../../../src/scim/patch/apply-user-patch.ts";
import { parsePatch } from "../../../src/scim/patch/parse-patch.ts";

export const enterprise = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";
export const core = "urn:ietf:params:scim:schemas:core:2.0:User";

function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

export const work = { value: "ada@work.example", type: "work", primary: true };
export const home = { value: "ada@home.example", type: "home" };
export const ada: ScimUserDocument = frozen({
  userName: "Ada@harbour.example",
  externalId: "ext-1",
  displayName: "Ada",
  name: { givenName: "Ada", familyName: "Byron" },
  emails: [work, home],
  active: true,
});

export type Sent = Record<string, unknown>;

/** Over JSON, as it would come; twice, because identity providers repeat themselves: the second time changes nothing. */
export function patched(operations: Sent[], user = ada): ScimUserDocument {
  const parsed = parsePatch(JSON.parse(JSON.stringify({ Operations: operations })));
  const once = applyUserPatch(user, parsed);
  expect(applyUserPatch(frozen(once), parsed)).toEqual(once);
  return once;
}

export const all = <T>(from: T, change: Partial<T>): T => ({ ...from, ...change });
