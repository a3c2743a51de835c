import { AppError } from "../errors.ts";
import { isRecord, tryParseJson } from "../lib/json.ts";
import { readTextFields, replaceTexts, type TextField } from "./json-fields.ts";
import type { ProxyCall } from "./proxy-call.ts";

/** A call's original body, and the fields in it that name models. */
export interface CallBody {
  bytes: Uint8Array<ArrayBuffer>;
  fields: TextField[];
  /** The body with other names, and nothing else changed; the very bytes where nothing is. */
  renamed(nameOf: (field: TextField) => string): Uint8Array<ArrayBuffer> | string;
  /** The parsed document. */
  parse(): Record<string, unknown>;
}

/**
 * Reads the body of a call.
 * @param names of the fields that name models
 * @throws AppError as the proxied call's `readBody`; `bad_request` for anything except a JSON object, or for a repeated name
 */
export async function readCallBody(
  { readBody }: Pick<ProxyCall, "readBody">,
  names: readonly string[],
): Promise<CallBody> {
  const { bytes, text } = await readBody();
  if (!isRecord(tryParseJson(text))) throw new AppError("bad_request", "The body is not a JSON object");
  const fields = readTextFields(text, names);
  return {
    bytes,
    fields,
    renamed: (nameOf) =>
      fields.every((field) => nameOf(field) === field.value) ? bytes : replaceTexts(text, fields, nameOf),
    parse: () => JSON.parse(text) as Record<string, unknown>,
  };
}

/**
 * The model in a body.
 * @throws AppError `bad_request` if it has none, or two
 */
export function modelIn({ fields }: CallBody): string {
  const names = [
    ...new Set(fields.filter(({ name }) => name === "model" || name === "name").map(({ value }) => value)),
  ];
  const said = names.filter((name) => name !== "");
  if (said.length > 1) throw new AppError("bad_request", "`model` and `name` are different", { param: "model" });
  if (said[0] === undefined) throw new AppError("bad_request", "model is required", { param: "model" });
  return said[0];
}
