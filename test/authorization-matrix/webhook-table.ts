import { everyone, owner, systemAdmin, type Cell, type Outcome, type Row } from "./cells.ts";

const administration: Row = { may: systemAdmin };
const list: Row = { may: everyone };
/** Whoever may call it, there is no address to send to, or nothing of that id. */
const administrationOr =
  (status: number) =>
  (cell: Cell): Outcome =>
    systemAdmin(cell) === "ok" ? status : 403;
const ofService: Row = { may: administrationOr(404) };
const own: Row = { ids: { id: "webhook delivery" }, may: owner };

/** Outbound webhooks, as rows of the table: those of the service and one's own. */
export const webhookTable: Readonly<Record<string, Row>> = {
  "GET /api/v1/webhooks/service": administration,
  "PUT /api/v1/webhooks/service": { ...administration, say: () => ({ json: { is_enabled: true } }) },
  "GET /api/v1/webhooks/service/secret": administration,
  "POST /api/v1/webhooks/service/secret/rotate": administration,
  "POST /api/v1/webhooks/service/test": { may: administrationOr(409) },
  "GET /api/v1/webhooks/service/stats": administration,
  "GET /api/v1/webhooks/service/deliveries": administration,
  "GET /api/v1/webhooks/service/deliveries/:id": ofService,
  "POST /api/v1/webhooks/service/deliveries/:id/replay": ofService,
  "GET /api/v1/webhooks/own": list,
  "PUT /api/v1/webhooks/own": { ...list, say: () => ({ json: { is_always: true } }) },
  "GET /api/v1/webhooks/own/secret": list,
  "POST /api/v1/webhooks/own/secret/rotate": list,
  "POST /api/v1/webhooks/own/test": { may: () => 409 },
  "GET /api/v1/webhooks/own/stats": list,
  "GET /api/v1/webhooks/own/deliveries": list,
  "GET /api/v1/webhooks/own/deliveries/:id": own,
  "POST /api/v1/webhooks/own/deliveries/:id/replay": own,
};
