import { owner, ownerOrSystemAdmin, type Row } from "./cells.ts";

const base = "/api/v1/channels";
const ofChannel: Row = { ids: { id: "channel" }, may: ownerOrSystemAdmin };
/** A webhook that must be one of the channel named. */
const one: Row = { ids: { id: "channel", webhook_id: "channel webhook" }, may: owner };
const named = () => ({ json: { name: "Releases" } });

/** Webhooks of channels, as rows of the table; posts by their addresses need nobody. */
export const channelWebhookTable: Readonly<Record<string, Row>> = {
  [`GET ${base}/:id/webhooks`]: ofChannel,
  [`POST ${base}/:id/webhooks/create`]: { ...ofChannel, say: named },
  [`POST ${base}/:id/webhooks/:webhook_id/update`]: { ...one, say: named },
  [`POST ${base}/:id/webhooks/:webhook_id/rotate`]: one,
  [`GET ${base}/:id/webhooks/:webhook_id/requests`]: one,
  [`DELETE ${base}/:id/webhooks/:webhook_id/delete`]: one,
  [`GET ${base}/webhooks/:webhook_id/profile/image`]: {
    ids: { webhook_id: "channel webhook" },
    may: ownerOrSystemAdmin,
  },
};
