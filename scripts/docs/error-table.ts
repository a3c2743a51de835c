import { statusOf } from "../../src/errors.ts";
import { table } from "./table.ts";

/** Every error code by its status. */
export function errorTable(): string {
  const byStatus = Map.groupBy(Object.entries(statusOf), ([, status]) => status);
  const rows = [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, codes]) => [String(status), codes.map(([code]) => `\`${code}\``).join(", ")]);
  return table(["status", "codes"], rows);
}
