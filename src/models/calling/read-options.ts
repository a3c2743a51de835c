import {
  type ConnectionPolicy,
  connectionPolicy,
  type ConnectionQuirks,
  connectionQuirks,
  usualPolicy,
  usualQuirks,
} from "./schema.ts";

/** As stored, with the defaults filled in; what an older or newer version wrote and this one cannot read counts for nothing. */
export function readQuirks(stored: unknown): ConnectionQuirks {
  return connectionQuirks.safeParse(stored).data ?? usualQuirks;
}

/** As `readQuirks`. */
export function readPolicy(stored: unknown): ConnectionPolicy {
  return connectionPolicy.safeParse(stored).data ?? usualPolicy;
}
