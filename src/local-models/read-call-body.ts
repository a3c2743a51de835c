import { AppError } from "../errors.ts";
import { largeBody, readBytes } from "../http/body.ts";
import { maxJsonDepth, isTooDeep } from "../lib/json-depth.ts";
import { isRecord, tryParseJson } from "../lib/json.ts";
import { readTextFields, replaceTexts, type TextField } from "./json-fields.ts";

/** A call's body as it came, and the texts in it that name models. */
export interface CallBody {
  bytes: Uint8Array<ArrayBuffer>;
  fields: TextField[];
  /** The body with other names, and nothing else changed; the very bytes where nothing is. */
  renamed(nameOf: (field: TextField) => string): Uint8Array<ArrayBuffer> | string;
  /** The parsed document. */
  parse(): Record<string, unknown>;
}

/**
 * Takes in the body of a call, whatever content type it came with.
 * @param names of the fields that name models
 * @throws AppError `payload_too_large`; `bad_request` for what is no JSON object, or names something twice
 */
export async function readCallBody(request: Request, names: readonly string[]): Promise<CallBody> {
  const bytes = await readBytes(request, largeBody);
  const text = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(bytes);
  if (isTooDeep(text)) throw new AppError("bad_request", `The body is nested too deep: the limit is ${maxJsonDepth} levels`);
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
 * The model that a body names.
 * @throws AppError `bad_request` where it names none, or two
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
