import { quoted } from "../quoted.ts";
import { ScimError } from "../scim-error.ts";

export function noAttribute(written: string): ScimError {
  return new ScimError("invalidPath", `There is no attribute ${quoted(written)} to write.`);
}

/** RFC 7644, section 3.5.2.2: what is required cannot become unassigned. */
export function required(written: string): ScimError {
  return new ScimError("mutability", `${quoted(written)} always has a value: it can be replaced, not removed.`);
}
