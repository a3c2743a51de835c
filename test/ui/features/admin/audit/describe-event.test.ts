import { expect, test } from "vitest";
import type { Event } from "../../../../../src/ui/features/admin/audit/audit.ts";
import { describeEvent } from "../../../../../src/ui/features/admin/audit/describe-event.ts";
import { failureOf } from "../../../../../src/ui/features/admin/audit/failure-of.ts";

const ada = { kind: "session", id: "a", name: "Ada", is_service: false };
const scim = { kind: "scim", id: null, name: null, is_service: false };
const stranger = { kind: "anonymous", id: null, name: null, is_service: false };

function sentence(event: Partial<Event>): string {
  const whole: Event = {
    id: "1",
    at: 0,
    actor: ada,
    action: "user.deleted",
    target: { type: "user", id: "b", name: null },
    organization_id: null,
    detail: {},
    request_id: "r",
    ...event,
  };
  const { actor, before, target, after } = describeEvent(whole, new Map([["ENABLE_SIGNUP", "Sign-up"]]));
  return `${actor} ${before}${target}${after}`;
}
const bo = { type: "user", id: "b", name: "Bo" };

test.each<[Partial<Event>, string]>([
  [{ action: "user.role_updated", target: bo }, "Ada changed the role of Bo"],
  [{ action: "user.deleted", detail: { name: "Bo", email: "bo@x.example" } }, "Ada deleted the account Bo"],
  [{ action: "user.name_updated", target: { type: "user", id: "a", name: "Ada" } }, "Ada changed their own name"],
  [{ action: "user.signed_up", actor: stranger, target: bo }, "Bo signed up"],
  [
    { action: "settings.updated", target: { type: "settings", id: "settings", name: null } },
    "Ada changed the settings",
  ],
  [
    { action: "scim.user.deactivated", actor: scim, detail: { after: { displayName: "Dan" } } },
    "Provisioning deactivated Dan",
  ],
  [
    {
      action: "sso.sign_in_failed",
      actor: stranger,
      target: { type: "sso", id: "oidc", name: null },
      detail: { email: "eve@x.example" },
    },
    "eve@x.example couldn't sign in through the identity provider oidc",
  ],
  [
    { action: "quota.updated", target: { type: "quota", id: "q", name: "Bo" }, detail: { scope: "person" } },
    "Ada changed the quota of Bo",
  ],
  [
    { action: "quota.deleted", target: { type: "quota", id: "q", name: null }, detail: { scope: "everyone" } },
    "Ada deleted the quota of everyone",
  ],
  [
    { action: "webhook.updated", target: { type: "webhook", id: "service", name: null } },
    "Ada changed the webhook of the service",
  ],
  [{ action: "webhook.updated", target: { type: "webhook", id: "a", name: "Ada" } }, "Ada changed their own webhook"],
  [
    { action: "model.deleted", target: { type: "model", id: "harbour-desk", name: null } },
    "Ada removed the model harbour-desk",
  ],
  [
    { action: "function.toggled", target: { type: "function", id: "f", name: "Style" }, detail: { is_active: false } },
    "Ada switched off the function Style",
  ],
  [
    {
      action: "settings.updated",
      target: { type: "settings", id: "settings", name: null },
      detail: { ENABLE_SIGNUP: { from: true, to: false } },
    },
    "Ada changed the setting Sign-up",
  ],
  [
    { action: "settings.updated", target: { type: "settings", id: "settings", name: null }, detail: { A: 1, B: 2 } },
    "Ada changed 2 settings",
  ],
  // A thing that nobody has written words for, done by somebody who is gone, to something without a name.
  [
    {
      action: "webhook.url_updated",
      actor: { kind: "session", id: "z", name: null, is_service: false },
      target: { type: "web_hook", id: "0193d0a0-1111-7222-8333-0123456789ab", name: null },
    },
    "A deleted account webhook: url updated web hook …6789ab",
  ],
  [{ action: "boom", target: { type: "thing", id: "*", name: null } }, "Ada boom thing"],
])("%j is told as %j", (event, expected) => {
  expect(sentence(event)).toBe(expected);
});

test("what failed says why, in the longest words there are", () => {
  expect(failureOf({ detail: {} })).toBeUndefined();
  expect(failureOf({ detail: { error: null } })).toBeUndefined();
  expect(failureOf({ detail: { status: 409, error: "taken" } })).toBe("taken");
  expect(failureOf({ detail: { error: "access_denied", error_description: "No" } })).toBe("No");
});
