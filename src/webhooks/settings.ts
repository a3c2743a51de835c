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
      z.url({ protocol: /^https?$/ }).refine(hasNoCredentials, "no user name or password"),
    ]),
    default: "",
    where: "anywhere",
    section: "general",
    type: "text",
    title: "Webhook URL",
    // The rest is what its receiver knows the service by.
    audited: (value) => (typeof value === "string" && URL.canParse(value) ? new URL(value).host : ""),
    description: "Is told of every new person. Deliveries and the signing secret are under Webhooks.",
  },
  ENABLE_USER_WEBHOOKS: {
    schema: z.boolean(),
    default: true,
    where: "anywhere",
    section: "general",
    type: "boolean",
    title: "User webhooks",
    description: "People may have an address of their own told when an answer is finished while they are away.",
  },
} as const satisfies Record<string, Definition>;
