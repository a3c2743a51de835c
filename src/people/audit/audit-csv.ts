import { csvLine } from "../../lib/csv.ts";
import type { EventRow } from "./select-events.ts";

const columns: readonly (readonly [name: string, of: (row: EventRow) => string | null])[] = [
  ["time", (row) => new Date(row.at * 1000).toISOString()],
  ["actor_kind", (row) => row.actorKind],
  ["actor_id", (row) => row.actorId],
  ["actor_name", (row) => row.actorName],
  ["actor_account", (row) => row.accountKind],
  ["action", (row) => row.action],
  ["target_type", (row) => row.targetType],
  ["target_id", (row) => row.targetId],
  ["organization_id", (row) => row.organizationId],
  ["detail", (row) => JSON.stringify(row.detail)],
  ["request_id", (row) => row.requestId],
  ["id", (row) => row.id],
];

export const csvHead: string = csvLine(columns.map(([name]) => name));

export function toCsvLine(row: EventRow): string {
  return csvLine(columns.map(([, of]) => of(row)));
}
