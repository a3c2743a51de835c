import type { Step } from "./step.ts";
import { secrets } from "./step.ts";

const service = "/api/v1/webhooks/service";
const own = "/api/v1/webhooks/own";
const targets = "/api/v1/notifications/targets";

/** Outbound webhooks: where they go, and what they are signed with. Addresses and secrets stay out of the log. */
export const webhookSteps: Step[] = [
  {
    who: "admin",
    route: `PUT ${service}`,
    actions: ["settings.updated", "webhook.updated"],
    body: () => ({ url: `https://hooks.harbour.example/${secrets.query}` }),
  },
  { who: "admin", route: `POST ${service}/secret/rotate`, actions: ["webhook.secret_rotated"] },
  {
    who: "ada",
    route: `PUT ${own}`,
    actions: ["webhook.updated"],
    body: () => ({ url: `https://hooks.harbour.example/${secrets.query}`, is_always: true }),
  },
  { who: "ada", route: `POST ${own}/secret/rotate`, actions: ["webhook.secret_rotated"] },
  // The same webhook, as clients of the peer know it.
  { who: "ada", route: `PUT ${own}`, actions: ["webhook.updated"], body: () => ({ url: "" }) },
  {
    who: "ada",
    route: `POST ${targets}`,
    actions: ["webhook.updated"],
    makes: "target",
    body: () => ({ config: { url: `https://hooks.harbour.example/${secrets.query}` } }),
  },
  {
    who: "ada",
    route: `PUT ${targets}/:id`,
    actions: ["webhook.updated"],
    of: "target",
    body: () => ({ delivery: "always" }),
  },
  { who: "ada", route: `DELETE ${targets}/:id`, actions: ["webhook.updated"], of: "target" },
];
