import { inLanguage } from "../../../languages/admin.ts";

/** Texts of the page about provisioning. */
export const texts = inLanguage("admin/scim", {
  title: "Provisioning (SCIM)",
  sub: "An identity provider adds, changes and deactivates people and groups here. This page shows whether that works.",
  failed: "The state of provisioning couldn't be loaded",
  on: "On",
  off: "Off",
  state: "Connection",
  base: "Base URL for the identity provider",
  baseHint: "Enter it unchanged in the provider's field “Tenant URL” or “SCIM connector base URL”.",
  provider: "Sign-in provider",
  providerNone: "Not set (SCIM_AUTH_PROVIDER)",
  providerUnknown: "Not configured",
  providerUnknownHint: "Requests that use externalId fail with 500. Set SCIM_AUTH_PROVIDER to a configured provider.",
  providerHint: "People are matched to this provider by externalId when they sign in.",
  tokens: "Accepted tokens",
  noTokens: "None",
  rotate:
    "To change the token: set SCIM_TOKEN_PREVIOUS to the old one and SCIM_TOKEN to the new one, restart, enter the new one at the provider, then remove the old one.",
  allowlist: "Accepted addresses",
  everyAddress: "Every address",
  tiles: { users: "Visible people", groups: "Visible groups" },
  last: "Last request",
  never: "Never",
  switchOn: {
    title: "How to switch it on",
    text: "Provisioning is set when the service starts, so nobody can switch it on from a page. Set these variables and restart:",
    variables: "Variables",
    example: (token: string) => `SCIM_ENABLED=true\nSCIM_TOKEN=${token}\nSCIM_AUTH_PROVIDER=oidc`,
    token:
      "The token is a suggestion, generated in this browser and not stored. SCIM_AUTH_PROVIDER is the ID of the provider that people sign in with.",
    base: "Base URL for the identity provider",
  },
  requests: {
    title: "Last requests",
    only: "Failures only",
    refresh: "Refresh",
    operation: "Operation",
    refused: "Refused",
    done: "Done",
    failed: "The requests couldn't be loaded",
    none: "No requests yet. Press “Test connection” at your identity provider, and the request appears here.",
    noFailures: "No failed requests.",
    noneOff: "No requests yet. While provisioning is off, every request is refused.",
  },
});
