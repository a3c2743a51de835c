import * as z from "zod";
import { AppError, type Issue } from "../../errors.ts";
import { maxJsonDepth, isTooDeep } from "../../lib/json-depth.ts";

/** Maximum length of an event, in UTF-16 units of its JSON. */
const maxEventLength = 4_000_000;

const envelope = z.looseObject({ type: z.string().min(1).max(100), data: z.unknown() });

/**
 * The envelope of an event.
 * @throws AppError `invalid_event`, `payload_too_large`
 */
export function checkEvent(given: unknown): { type: string; data: unknown } {
  const { type, data } = read(envelope, given, "");
  const json = toJson(data);
  if (json === undefined || isTooDeep(json))
    throw new AppError("invalid_event", `data: nested too deep: the limit is ${maxJsonDepth} levels`, { param: "data" });
  if (json.length > maxEventLength)
    throw new AppError("payload_too_large", `The event is larger than ${maxEventLength / 1_000_000} MB`);
  return { type, data };
}

/** Undefined if it is nested too deep for JSON. */
function toJson(data: unknown): string | undefined {
  try {
    return JSON.stringify(data) ?? "";
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * The data of an event.
 * @throws AppError `invalid_event` that lists every wrong place
 */
export function readData<T extends z.ZodType>(schema: T, data: unknown): z.output<T> {
  return read(schema, data, "data");
}

function read<T extends z.ZodType>(schema: T, value: unknown, name: string): z.output<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issues = result.error.issues.map((issue): Issue => {
    const path = [...(name === "" ? [] : [name]), ...issue.path].join(".");
    return { path, message: issue.message };
  });
  const [first] = issues;
  const message = first!.path === "" ? `the event: ${first!.message}` : `${first!.path}: ${first!.message}`;
  throw new AppError("invalid_event", message, { issues, param: first!.path });
}
