import { quoted } from "../quoted.ts";
import { ScimError } from "../scim-error.ts";

export function noAttribute(written: string): ScimError {
  return new ScimError("invalidPath", `Unknown attribute ${quoted(written)}.`);
}

/** RFC 7644, section 3.5.2.2: what is required cannot become unassigned. */
export function required(written: string): ScimError {
  return new ScimError("mutability", `${quoted(written)} is required: it can be replaced but not removed.`);
}
