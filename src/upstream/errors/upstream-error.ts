/** The error object of the chat-completions dialect. */
export interface OpenAiError {
  message: string;
  type: string;
  param: string | null;
  code: string | null;
  [extra: string]: unknown;
}

export interface UpstreamErrorDetails {
  type?: string | undefined;
  param?: string | null | undefined;
  code?: string | null | undefined;
  /** The `Retry-After` value as the upstream sent it: seconds or an HTTP date. */
  retryAfter?: string | undefined;
  /** Headers of the upstream's answer that may be passed to the caller. */
  headers?: Headers | undefined;
  /** Further fields of the error object, without secrets. */
  extra?: Record<string, unknown> | undefined;
  cause?: unknown;
}

/**
 * An upstream failed, refused or returned something invalid. `status` is the caller's status if the status line has not
 * been sent; the message has no secrets and may be shown.
 */
export class UpstreamError extends Error {
  readonly status: number;
  readonly type: string;
  readonly param: string | null;
  readonly code: string | null;
  readonly retryAfter: string | undefined;
  readonly headers: Headers;
  readonly extra: Record<string, unknown>;

  constructor(status: number, message: string, details: UpstreamErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.name = "UpstreamError";
    this.status = status;
    this.type = details.type ?? typeForStatus(status);
    this.param = details.param ?? null;
    this.code = details.code ?? null;
    this.retryAfter = details.retryAfter;
    this.headers = details.headers ?? new Headers();
    this.extra = details.extra ?? {};
  }

  /** The body in the chat-completions dialect: `{error: {message, type, param, code, ...}}`. */
  toOpenAiError(): { error: OpenAiError } {
    const { message, type, param, code } = this;
    return { error: { ...this.extra, message, type, param, code } };
  }

  /**
   * The body of an error after the status line, as the data of one event. It includes `status`; SDKs throw on an event
   * with a top-level `error`.
   */
  toStreamError(): { error: OpenAiError } {
    const { error } = this.toOpenAiError();
    return { error: { ...error, status: this.status } };
  }
}

function typeForStatus(status: number): string {
  if (status === 429) return "rate_limit_error";
  return status >= 400 && status < 500 ? "invalid_request_error" : "upstream_error";
}

/** An invalid upstream answer. `what` ends the sentence "The upstream answered with ...". */
export function invalidAnswer(what: string, code = "upstream_invalid_answer"): UpstreamError {
  return new UpstreamError(502, `The upstream answered with ${what}.`, { code });
}

/** An empty answer: no body, `null`, or a stream without a choice. */
export function emptyAnswer(): UpstreamError {
  return invalidAnswer("nothing", "upstream_empty_answer");
}

/** The stream ended without a finish reason and without `[DONE]`: the answer is incomplete. */
export function incompleteAnswer(cause?: unknown): UpstreamError {
  return new UpstreamError(502, "The upstream stopped in the middle of the answer.", {
    code: "upstream_incomplete_answer",
    cause,
  });
}

/** The upstream sent more than the limit for one answer or one event. */
export function oversizedAnswer(): UpstreamError {
  return invalidAnswer("more data than the limit", "upstream_answer_too_large");
}

/** The caller left or canceled; 499 is the status in proxies' logs, nobody receives it. */
export function cancelledRequest(cause?: unknown): UpstreamError {
  return new UpstreamError(499, "The request was cancelled.", {
    type: "request_cancelled",
    code: "request_cancelled",
    cause,
  });
}
