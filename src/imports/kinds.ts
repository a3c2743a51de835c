import type { Kind } from "./kind.ts";

/** All kinds of records by their names, in the order in which they are imported: each refers only to those before it. */
export const kinds: ReadonlyMap<string, Kind> = new Map<string, Kind>([]);
