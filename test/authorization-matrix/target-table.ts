import { everyone, owner, type Row } from "./cells.ts";

const base = "/api/v1/notifications";
const list: Row = { may: everyone };
const one: Row = { ids: { id: "webhook target" }, may: owner };

/** The peer's notification targets, as rows of the table. */
export const targetTable: Readonly<Record<string, Row>> = {
  [`GET ${base}/events`]: list,
  [`GET ${base}/targets`]: list,
  // Whoever may call it, there is no address to be told.
  [`POST ${base}/targets`]: { say: () => ({ json: {} }), may: () => 400 },
  [`PUT ${base}/targets/:id`]: { ...one, say: () => ({ json: { delivery: "always" } }) },
  // There is one for each person.
  [`DELETE ${base}/targets/:id`]: { ...one, spendsCaller: true },
  [`PUT ${base}/targets/:id/default`]: one,
  [`POST ${base}/targets/:id/test`]: one,
};
