import path from "node:path";

/** The checkout this launcher belongs to. */
export const projectRoot = path.resolve(import.meta.dirname, "../..");
