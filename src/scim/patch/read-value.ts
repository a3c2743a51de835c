import { isRecord } from "../../lib/json.ts";
import { quoted } from "../quoted.ts";
import { ScimError } from "../scim-error.ts";

const maxLength = 4_096;

/**
 * A text for the attribute called `written`. A single value may come as a list with one `{value}`, as Entra ID used to send it.
 * @throws ScimError `invalidValue` for anything else, and for text that no database keeps (NUL, halves of surrogate pairs)
 */
export function readText(sent: unknown, written: string): string {
  const value = single(sent);
  if (typeof value !== "string") throw invalid(written, "must be a string");
  if (!value.isWellFormed() || value.includes("\0")) throw invalid(written, "has invalid characters");
  if (value.length > maxLength) throw invalid(written, `is longer than ${maxLength} characters`);
  return value;
}

/** @throws ScimError `invalidValue` for empty text too */
export function readFilledText(sent: unknown, written: string): string {
  const value = readText(sent, written);
  if (value.trim() === "") throw invalid(written, "must not be empty");
  return value;
}

/** True and false, also as text in any case (Entra ID sends "True" and "False"). @throws ScimError `invalidValue` */
export function readBoolean(sent: unknown, written: string): boolean {
  const value = single(sent);
  const word = typeof value === "string" ? value.trim().toLowerCase() : value;
  if (word === true || word === "true") return true;
  if (word === false || word === "false") return false;
  throw invalid(written, "must be true or false");
}

export function invalid(written: string, why: string): ScimError {
  return new ScimError("invalidValue", `The value of ${quoted(written)} ${why}.`);
}

function single(sent: unknown): unknown {
  const only: unknown = Array.isArray(sent) && sent.length === 1 ? sent[0] : sent;
  return only !== sent && isRecord(only) && Object.hasOwn(only, "value") ? only.value : sent;
}
