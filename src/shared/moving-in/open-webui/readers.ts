import type { Reader } from "../row-source.ts";

/** Everything that is read, in the order in which it is imported: each refers only to what stands before it. */
export const openWebuiReaders: readonly Reader[] = [];
