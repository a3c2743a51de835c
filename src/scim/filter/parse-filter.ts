import type { Filter } from "./filter.ts";

/** @throws ScimError `invalidFilter` that says where. */
export function parseFilter(text: string): Filter {
  throw new Error(`not there yet: ${text}`);
}
