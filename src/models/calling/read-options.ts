import {
  type ConnectionPolicy,
  connectionPolicy,
  type ConnectionQuirks,
  connectionQuirks,
  usualPolicy,
  usualQuirks,
} from "./schema.ts";

/** As stored, with defaults filled in; unreadable values of other versions are ignored. */
export function readQuirks(stored: unknown): ConnectionQuirks {
  return connectionQuirks.safeParse(stored).data ?? usualQuirks;
}

/** As `readQuirks`. */
export function readPolicy(stored: unknown): ConnectionPolicy {
  return connectionPolicy.safeParse(stored).data ?? usualPolicy;
}
