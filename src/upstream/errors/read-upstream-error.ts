import { isRecord, tryParseJson } from "../../lib/json.ts";
import { answerHeaders } from "../answers/answer-headers.ts";
import { redactSecrets } from "./redact-secrets.ts";
import { UpstreamError } from "./upstream-error.ts";

export interface ErrorSource {
  /** HTTP status of the answer with the error; 200 if it was inside a successful answer or a stream. */
  status: number;
  headers?: Headers | undefined;
  /** Secrets of the connection, which are removed from everything that is shown. */
  secrets?: readonly string[] | undefined;
}

const maxMessageLength = 4000;
const maxExtraLength = 8192;

/** Types and codes that replace a missing status, for errors with 200 or inside a stream. */
const statusOfKind: [RegExp, number][] = [
  [/rate_?limit|quota|too_many|resource_exhausted/i, 429],
  [
    /context_length|invalid_?request|bad_?request|invalid_argument|validation|unprocessable|content_(?:filter|policy)/i,
    400,
  ],
  [/auth|api_?key|permission|forbidden|unauthenticated/i, 401],
  [/not_?found|no_such_model/i, 404],
  [/overloaded|unavailable|capacity/i, 503],
  [/time_?out|deadline/i, 504],
];

function text(value: unknown): string | undefined {
  if (typeof value === "string") return value.trim() || undefined;
  return undefined;
}

function textOrNumber(value: unknown): string | undefined {
  return typeof value === "number" ? String(value) : text(value);
}

function httpStatus(value: unknown): number | undefined {
  const status = typeof value === "string" && /^\d{3}$/.test(value) ? Number(value) : value;
  return typeof status === "number" && Number.isInteger(status) && status >= 400 && status < 600 ? status : undefined;
}

/** FastAPI's `detail`: a text, a list of `{loc, msg}`, or an object with a message. */
function detailText(detail: unknown): string | undefined {
  if (Array.isArray(detail)) {
    const lines = detail.map((part) => {
      if (!isRecord(part)) return text(part);
      const path = Array.isArray(part["loc"]) ? part["loc"].join(".") : "";
      return [path, text(part["msg"]) ?? text(part["message"])].filter(Boolean).join(": ");
    });
    return text(lines.filter(Boolean).join("; "));
  }
  if (isRecord(detail)) return messageOf(detail) ?? JSON.stringify(detail);
  return text(detail);
}

function messageOf(record: Record<string, unknown>): string | undefined {
  const message = record["message"];
  if (isRecord(message) || Array.isArray(message)) return detailText(message);
  return (
    text(message) ??
    detailText(record["detail"]) ??
    text(record["msg"]) ??
    text(record["error_description"]) ??
    text(record["error"]) ??
    detailText(record["errors"]) ??
    text(record["title"])
  );
}

/** The object that describes the error: `{error: {...}}` unwrapped, lists (Gemini) and texts normalized. */
function errorFields(body: unknown): Record<string, unknown> | undefined {
  if (Array.isArray(body)) return errorFields(body[0]);
  if (!isRecord(body)) return undefined;
  const { error } = body;
  if (isRecord(error)) return error;
  if (Array.isArray(error)) return errorFields({ error: error[0] });
  if (text(error) === undefined) return body;
  const { error: message, ...rest } = body;
  return { ...rest, message: messageOf(rest) ?? message };
}

/** Whether an object of a successful answer or stream is an error. `error: null` and `{}` are not. */
export function holdsError(body: Record<string, unknown>): boolean {
  const { error } = body;
  if (isRecord(error)) return Object.keys(error).length > 0;
  if (Array.isArray(error)) return error.length > 0;
  if (text(error) !== undefined || body["object"] === "error" || body["type"] === "error") return true;
  const isAnswer = Array.isArray(body["choices"]) || isRecord(body["usage"]);
  return !isAnswer && (body["detail"] !== undefined || text(body["message"]) !== undefined);
}

function redactDeep(value: unknown, secrets: readonly string[]): unknown {
  return JSON.parse(redactSecrets(JSON.stringify(value), secrets));
}

function extraFields(fields: Record<string, unknown>, secrets: readonly string[]): Record<string, unknown> {
  const known = new Set(["message", "type", "param", "code", "error", "object", "status", "detail", "msg", "choices"]);
  const extra = Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => !known.has(name) && value !== null),
  );
  const size = JSON.stringify(extra).length;
  if (size === 2 || size > maxExtraLength) return {};
  const clean = redactDeep(extra, secrets);
  return isRecord(clean) ? clean : {};
}

/**
 * Whether a status of an upstream is about the connection's key, not the caller's: SDKs and browsers would treat it as the end
 * of their own session.
 */
export function rejectsCredentials(status: number): boolean {
  return status === 401 || status === 403 || status === 407;
}

/**
 * The caller's status for the upstream's. 4xx and 5xx are kept, except those about the connection's key: they become 502
 * with a code of Parley's, and the upstream's own status and code are in the body.
 */
function translateStatus(upstream: number): { status: number; code?: string } {
  if (rejectsCredentials(upstream))
    return { status: 502, code: upstream === 403 ? "upstream_forbidden" : "upstream_unauthorized" };
  if (upstream >= 400 && upstream < 600) return { status: upstream };
  return { status: 502 };
}

/**
 * The error in a parsed body, in any upstream dialect: `{error: {...}}`, `{error: "text"}`, `[{error}]`, `{detail}`,
 * `{message}`, `{object: "error"}`. Message, type, param, code and further fields are kept.
 */
export function upstreamErrorFromBody(body: unknown, source: ErrorSource): UpstreamError {
  const secrets = source.secrets ?? [];
  const clean = (value: string | undefined): string | undefined =>
    value === undefined ? undefined : redactSecrets(value, secrets).slice(0, maxMessageLength);
  const fields = errorFields(body) ?? {};
  const ownStatus = text(fields["status"]);
  const type = clean(text(fields["type"]) ?? (httpStatus(ownStatus) === undefined ? ownStatus : undefined));
  const code = clean(textOrNumber(fields["code"]));
  const message = clean(messageOf(fields) ?? text(body)) ?? "The upstream reported an error without a message.";

  const said = [fields["code"], fields["status"], fields["status_code"]].map(httpStatus).find(Boolean);
  const guessed = statusOfKind.find(([pattern]) => pattern.test(`${type ?? ""} ${code ?? ""}`))?.[1];
  const upstreamStatus = source.status >= 400 ? source.status : (said ?? guessed ?? 502);
  const translated = translateStatus(upstreamStatus);
  const hidden = translated.code !== undefined;

  return new UpstreamError(
    translated.status,
    hidden ? `The upstream rejected this connection's credentials: ${message}` : message,
    {
      type: hidden ? "upstream_error" : type,
      param: clean(textOrNumber(fields["param"])),
      code: translated.code ?? code,
      retryAfter: readRetryAfter(source.headers),
      headers: source.headers ? answerHeaders(source.headers) : undefined,
      extra: {
        ...extraFields(fields, secrets),
        ...(hidden || (source.status !== 200 && source.status !== translated.status)
          ? { upstream_status: upstreamStatus }
          : {}),
        ...(hidden && code !== undefined ? { upstream_code: code } : {}),
      },
    },
  );
}

function readRetryAfter(headers: Headers | undefined): string | undefined {
  const value = headers?.get("retry-after")?.trim();
  if (!value) return undefined;
  return /^\d{1,9}(?:\.\d+)?$/.test(value) || !Number.isNaN(Date.parse(value)) ? value : undefined;
}

/** A web page by its title, for a message; never its markup. */
export function describePage(page: string): string {
  const title = /<title[^>]*>([^<]{1,200})/i.exec(page)?.[1]?.replaceAll(/\s+/g, " ").trim();
  return title ? `a web page (“${title}”) instead of an answer` : "a web page instead of an answer";
}

export function looksLikePage(body: string): boolean {
  return /^\s*<(?:!doctype|html|head|body|\?xml|!--)/i.test(body);
}

/** The error of an answer with a status outside 200-299, with any body. */
export function upstreamErrorFromText(body: string, source: ErrorSource): UpstreamError {
  const parsed = tryParseJson(body);
  if (isRecord(parsed) || Array.isArray(parsed)) return upstreamErrorFromBody(parsed, source);
  const { status } = source;
  if (status >= 300 && status < 400) {
    const message = "The upstream redirects to another address: enter the final address in the connection.";
    return upstreamErrorFromBody({ message, code: "upstream_redirect", type: "upstream_error" }, source);
  }
  const plain = looksLikePage(body) ? `The upstream answered with ${describePage(body)}.` : body.trim();
  const sse = /^data:\s*(\{.*\})\s*$/m.exec(body)?.[1];
  const inEvent = sse === undefined ? undefined : tryParseJson(sse);
  if (isRecord(inEvent)) return upstreamErrorFromBody(inEvent, source);
  return upstreamErrorFromBody({ message: plain || `The upstream returned status ${status}.` }, source);
}
