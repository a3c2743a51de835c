import { ScimError } from "../../src/scim/scim-error.ts";

/** What comes out, or undefined where SCIM refuses; any other error is one. */
export function unlessRefused<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof ScimError) return undefined;
    throw error;
  }
}
