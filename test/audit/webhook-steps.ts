import type { Step } from "./step.ts";
import { secrets } from "./step.ts";

const service = "/api/v1/webhooks/service";
const own = "/api/v1/webhooks/own";

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
];
