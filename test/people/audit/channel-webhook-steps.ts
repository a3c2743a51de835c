import { addChannel } from "../../authorization-matrix/channel-things.ts";
import { defaultOrganizationId, type Person, type World } from "../../world.ts";
import type { Step } from "./step.ts";

const base = "/api/v1/channels/:id/webhooks";

/** A channel of the person's. @returns its id by the name that the steps have for it */
export async function storeWebhookThings({ db }: World, owner: Person): Promise<Record<string, string>> {
  return { room: await addChannel(db, { ...owner, organizationId: defaultOrganizationId }) };
}

/** Webhooks of channels: made, renamed, given a new token, deleted. */
export const channelWebhookSteps: Step[] = [
  {
    who: "ada",
    route: `POST ${base}/create`,
    actions: ["channel_webhook.created"],
    of: "room",
    makes: "webhook_id",
    body: () => ({ name: "Deploys" }),
  },
  {
    who: "ada",
    route: `POST ${base}/:webhook_id/update`,
    actions: ["channel_webhook.updated"],
    of: "room",
    body: () => ({ name: "Releases" }),
  },
  { who: "ada", route: `POST ${base}/:webhook_id/rotate`, actions: ["channel_webhook.token_rotated"], of: "room" },
  { who: "ada", route: `DELETE ${base}/:webhook_id/delete`, actions: ["channel_webhook.deleted"], of: "room" },
];
