import type { RequestOptions } from "../../people/auth/passkeys/schema.ts";

/** A sign-in with the right password that needs more. */
export interface SecondStepAsked {
  /** With which it is finished. */
  token: string;
  /** What it can be finished with. */
  methods: string[];
  /** For the browser, where the person has passkeys. */
  passkey?: RequestOptions | undefined;
}

/** Why a call failed, whatever dialect the answer spoke. */
export class ApiError extends Error {
  override name = "ApiError";
  /** HTTP status; 0 when no answer came at all (offline, server gone, timeout). */
  readonly status: number;
  /** Machine-readable reason: the service's own code, or `offline`, `timeout`, `unreadable`. */
  readonly code: string;
  /** To be shown small below the error, so that an operator finds the log line. */
  readonly requestId: string | undefined;
  /** Seconds to wait before another try, when the service named them. */
  readonly retryAfter: number | undefined;
  /** What is wrong with single fields, when the service named them: field path to message. */
  readonly issues: Record<string, string>;
  /** Set where a sign-in needs a second factor. */
  readonly secondFactor: SecondStepAsked | undefined;

  constructor(
    status: number,
    code: string,
    message: string,
    extra: {
      requestId?: string | undefined;
      retryAfter?: number | undefined;
      issues?: Record<string, string>;
      secondFactor?: SecondStepAsked | undefined;
    } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.requestId = extra.requestId;
    this.retryAfter = extra.retryAfter;
    this.issues = extra.issues ?? {};
    this.secondFactor = extra.secondFactor;
  }
}

/** Turns whatever was thrown into an ApiError, so that pages handle one shape. */
export function toApiError(cause: unknown): ApiError {
  if (cause instanceof ApiError) return cause;
  return new ApiError(0, "unexpected", cause instanceof Error ? cause.message : String(cause));
}

/** Reads a failed answer: problem+json, the completions dialect `{error: {...}}`, a runtime's `{error}`, or Open WebUI's `{detail}`. */
export async function readError(response: Response): Promise<ApiError> {
  const body = await response
    .clone()
    .json()
    .catch((): unknown => undefined);
  const record = isRecord(body) ? body : {};
  const inner = isRecord(record["error"]) ? record["error"] : record;
  const text = (name: string): string | undefined => {
    const value = inner[name] ?? record[name];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  return new ApiError(
    response.status,
    text("code") ?? `http_${response.status}`,
    text("detail") ?? text("message") ?? text("error") ?? text("title") ?? response.statusText,
    {
      requestId: text("request_id") ?? response.headers.get("x-request-id") ?? undefined,
      retryAfter: readRetryAfter(response.headers.get("retry-after")),
      issues: readIssues(record["issues"]),
      secondFactor: readStep(record["second_factor"]),
    },
  );
}

function readStep(value: unknown): SecondStepAsked | undefined {
  if (!isRecord(value) || typeof value["token"] !== "string") return undefined;
  const { methods, passkey } = value;
  return {
    token: value["token"],
    methods: Array.isArray(methods) ? methods.map(String) : [],
    passkey: isRecord(passkey) ? (passkey as RequestOptions) : undefined,
  };
}

/** RFC 9110, 10.2.3: seconds or a date. */
function readRetryAfter(value: string | null): number | undefined {
  if (!value) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds)) : undefined;
}

function readIssues(value: unknown): Record<string, string> {
  if (!Array.isArray(value)) return {};
  const issues: Record<string, string> = {};
  for (const issue of value) {
    if (!isRecord(issue) || typeof issue["message"] !== "string") continue;
    const path = Array.isArray(issue["path"]) ? issue["path"].join(".") : String(issue["path"] ?? "");
    issues[path] ??= issue["message"];
  }
  return issues;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
