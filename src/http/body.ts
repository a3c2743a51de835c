import type { Context as HonoContext, MiddlewareHandler } from "hono";
import { AppError } from "../errors.ts";
import { JsonScanner, maxJsonDepth } from "../lib/json-depth.ts";
import { type BodyPlace, charge, holdBody, requireAllowance, unitsOf } from "./body-budget.ts";
import { bodyLimits } from "./body-limits.ts";
import type { AppEnvironment } from "./routes.ts";

/** Maximum body of an ordinary JSON call, in bytes. */
export const smallBody = 1_000_000;
/** Maximum body with conversations or pictures in data URLs, in bytes. */
export const largeBody = 32_000_000;

/** How much of a too large body is still read, in bytes and milliseconds, so that the client receives the 413. */
const drained = { bytes: 2 * largeBody, time: 5000 };

/**
 * The whole body as bytes, up to `limit`.
 * @param look sees the bytes as they arrive; what it throws ends the reading
 * @throws AppError `payload_too_large` as soon as it is known, from the header or while reading.
 */
export async function readBytes(
  request: Request,
  limit: number,
  look: (bytes: Uint8Array) => void = () => undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = () =>
    new AppError("payload_too_large", `The body is too large: the limit is ${limit / 1_000_000} MB`);
  const header = request.headers.get("content-length");
  const said = header === null ? undefined : Number(header);
  if (said !== undefined && said > limit) {
    if (!request.headers.has("expect")) await drain(request.body?.getReader());
    throw tooLarge();
  }
  // Before the body is looked at: its stream would be made for that, and not be needed.
  if (said !== undefined && said <= smallBody) {
    // Where the length is said, HTTP itself sees to it that no more comes.
    const bytes = new Uint8Array(await request.arrayBuffer());
    look(bytes);
    return bytes;
  }
  if (!request.body) return new Uint8Array();
  let bytes = new Uint8Array(said ?? smallBody);
  let length = 0;
  const reader = request.body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return bytes.subarray(0, length);
      const end = length + value.byteLength;
      if (end > limit) throw tooLarge();
      look(value);
      if (end > bytes.length) {
        const grown = new Uint8Array(Math.min(limit, 2 * end));
        grown.set(bytes.subarray(0, length));
        bytes = grown;
      }
      bytes.set(value, length);
      length = end;
    }
  } catch (error) {
    bytes = new Uint8Array();
    if (error instanceof AppError) await drain(reader);
    throw error;
  }
}

/**
 * Reads and discards the rest. Answering during an upload closes the connection with unread bytes, which resets it:
 * many clients then report the reset instead of the response. Clients that wait for `100 Continue` have sent nothing to
 * drain.
 */
export async function drain(reader: ReadableStreamDefaultReader<Uint8Array> | undefined): Promise<void> {
  if (!reader) return;
  const until = Date.now() + drained.time;
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, drained.time));
  let length = 0;
  try {
    while (length < drained.bytes && Date.now() < until) {
      const read = await Promise.race([reader.read(), late]);
      if (!read || read.done) break;
      length += read.value.byteLength;
    }
  } catch {
    // The sender has gone: there is nobody to answer.
  }
  await reader.cancel().catch(() => undefined);
}

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });

type RequestContext = HonoContext<AppEnvironment>;

/** Values in a body of people who have not signed in, who cannot be told apart. */
const maxValuesOfStrangers = 5000;

/**
 * The text of a JSON body, within the limit of its route. Until the request has been handled, a larger one has a place
 * among all bodies in memory.
 * @throws AppError `payload_too_large` for too many bytes or values; `bad_request` for broken UTF-8 or nesting;
 *   `too_many_requests` if the person has sent too much recently, or if there is no memory for it
 * @param toText for what is passed on as bytes, so that invalid UTF-8 is somebody else's concern
 */
export async function readJsonText(
  c: RequestContext,
  toText: (bytes: Uint8Array) => string = decode,
): Promise<{ text: string; bytes: Uint8Array<ArrayBuffer> }> {
  const { maxBody } = c.get("route").policy;
  const { environment } = c.env;
  const request = c.req.raw;
  const person = personOf(c);
  let place: BodyPlace | undefined;
  if (person !== undefined) {
    const said = Number(request.headers.get("content-length") ?? 0);
    try {
      requireAllowance(environment, person);
      place = await holdBody(environment, person, Math.min(said, maxBody), request.signal);
      c.set("bodyPlace", place);
    } catch (error) {
      if (error instanceof AppError) await drain(request.body?.getReader());
      throw error;
    }
  }
  const maxValues = maxValuesOf(c, person);
  const scanner = new JsonScanner(maxValues);
  let length = 0;
  const bytes = await readBytes(request, maxBody, (part) => {
    place?.grow((length += part.length));
    const excess = scanner.scan(part);
    if (excess === "depth")
      throw new AppError("bad_request", `The body is nested too deep: the limit is ${maxJsonDepth} levels`);
    if (excess === "values")
      throw new AppError("payload_too_large", `The body has too many values: the limit is ${maxValues}`);
  });
  if (person !== undefined) {
    const units = unitsOf(bytes.length, scanner.values);
    charge(environment, person, units);
    c.set("body", { person, units });
  }
  return { text: toText(bytes), bytes };
}

/** How many times its price an invalid body costs: naming all that is wrong with it is the most expensive answer. */
const invalidFactor = 5;

/** To be called when the request has been handled: gives back the place in memory. */
export function settleBody(c: RequestContext): void {
  c.get("bodyPlace")?.free();
  const body = c.get("body");
  if (body && (c.res.status === 400 || c.res.status === 422))
    charge(c.env.environment, body.person, (invalidFactor - 1) * body.units);
}

/** Whom a body is charged to; undefined for strangers. */
function personOf(c: RequestContext): string | undefined {
  const actor = c.get("ctx")?.actor;
  if (actor === undefined || actor.kind === "anonymous") return undefined;
  return actor.kind === "user" ? actor.id : actor.kind;
}

function maxValuesOf(c: RequestContext, person: string | undefined): number {
  if (person === undefined) return maxValuesOfStrangers;
  const name = c.get("route").policy.maxBody > smallBody ? "MAX_LARGE_JSON_VALUES" : "MAX_JSON_VALUES";
  return c.env.environment[name] ?? bodyLimits[name];
}

function decode(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    throw new AppError("bad_request", "The body is not valid UTF-8");
  }
}

/** A JSON body for a handler that reads it itself. @throws AppError as `readJsonText`, and `bad_request` for invalid JSON */
export async function readJson(c: RequestContext): Promise<unknown> {
  const { text } = await readJsonText(c);
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError("bad_request", "The body is not valid JSON");
  }
}

/**
 * Rejects strings and names with an unpaired surrogate, which JSON can contain (`\ud800`) and UTF-8 cannot (RFC 8259,
 * section 8.2): the database would reject them or store unreadable text.
 * @param text JSON
 * @throws AppError `validation_failed`; SyntaxError for invalid JSON.
 */
function parseWhole(text: string): void {
  const check = (key: string, value: unknown) => {
    if (key.isWellFormed() && (typeof value !== "string" || value.isWellFormed())) return value;
    throw new AppError("validation_failed", "The body contains an unpaired surrogate (invalid Unicode)");
  };
  JSON.parse(text, /\\ud[89a-f]/i.test(text) ? check : undefined);
}

/**
 * Reads JSON bodies strictly before validators see them: bounded, valid UTF-8, valid JSON, whatever content type a plain
 * `curl -d` gave them. Forms pass untouched, and so does everything where the route reads its body itself, or where no route
 * answers. The body of a GET or HEAD means nothing (RFC 9110, section 9.3.1) and is never looked at.
 */
export function strictJson(): MiddlewareHandler<AppEnvironment> {
  return async (c, next) => {
    if (c.req.method === "GET" || c.req.method === "HEAD") return next();
    const { declared, policy } = c.get("route");
    const { readsBody, mendsTexts } = policy;
    const type = c.req.header("content-type") ?? "";
    const isForm = /^multipart\/form-data/i.test(type);
    if (declared && !isForm && !readsBody && c.req.raw.body) {
      const { text } = await readJsonText(c);
      const isUrlEncoded = /^application\/x-www-form-urlencoded/i.test(type) && !/^\s*[{["]/.test(text);
      if (text !== "" && !isUrlEncoded) {
        try {
          if (mendsTexts) JSON.parse(text);
          else parseWhole(text);
        } catch (error) {
          throw error instanceof AppError ? error : new AppError("bad_request", "The body is not valid JSON");
        }
      }
      const headers = new Headers(c.req.raw.headers);
      // Nothing at all is no JSON: it stays absent, which some routes allow.
      if (text === "") headers.delete("content-type");
      else if (!isUrlEncoded) headers.set("content-type", "application/json");
      headers.delete("content-length");
      const body = text === "" ? null : text;
      c.req.raw = new Request(c.req.raw.url, { method: c.req.method, headers, body, signal: c.req.raw.signal });
    }
    await next();
  };
}
