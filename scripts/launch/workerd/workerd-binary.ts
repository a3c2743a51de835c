import { createRequire } from "node:module";

/** Path of the runtime. The package is CommonJS, whose `default` loaders see differently. */
export const workerdBinary = (createRequire(import.meta.url)("workerd") as { default: string }).default;
