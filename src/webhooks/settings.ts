import * as z from "zod";
import type { Definition } from "../settings/definition.ts";

/** No runtime calls such an address. */
function hasNoCredentials(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === "" && password === "";
}

/** Who else hears of what happens here. */
export const webhookSettings = {
  WEBHOOK_URL: {
    schema: z.union([
      z.literal(""),
      z.url({ protocol: /^https?$/ }).refine(hasNoCredentials, "without user name and password"),
    ]),
    default: "",
    where: "anywhere",
    section: "general",
    type: "text",
    title: "Webhook URL",
    // The rest is what its receiver knows the service by.
    audited: (value) => (typeof value === "string" && URL.canParse(value) ? new URL(value).host : ""),
    description: "Receives a message for every new person. Deliveries and the signing secret are under Webhooks.",
  },
  ENABLE_USER_WEBHOOKS: {
    schema: z.boolean(),
    default: true,
    where: "anywhere",
    section: "general",
    type: "boolean",
    title: "User webhooks",
    description: "People can set a webhook that is called when an answer finishes while they are away.",
  },
} as const satisfies Record<string, Definition>;
