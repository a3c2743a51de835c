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
  /** Headers of the upstream's answer that may go on to the caller. */
  headers?: Headers | undefined;
  /** Further fields of the error object, already free of secrets. */
  extra?: Record<string, unknown> | undefined;
  cause?: unknown;
}

/**
 * An upstream failed, refused or answered something that is no answer. `status` is what the caller gets where the status
 * line is not yet sent; the message is free of secrets and may be shown.
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
   * The body for an error that comes after the status line, as the data of one event. It carries `status`, which can no
   * longer be said otherwise; SDKs throw on an event with a top-level `error`.
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

/** An upstream answer that is no chat-completions answer. `what` ends the sentence "The upstream answered with ...". */
export function invalidAnswer(what: string, code = "upstream_invalid_answer"): UpstreamError {
  return new UpstreamError(502, `The upstream answered with ${what}.`, { code });
}

/** Nothing came: no body, `null`, or a stream without a single choice. */
export function emptyAnswer(): UpstreamError {
  return invalidAnswer("nothing", "upstream_empty_answer");
}

/** The stream stopped without a finish reason and without `[DONE]`: what came is not a whole answer. */
export function incompleteAnswer(cause?: unknown): UpstreamError {
  return new UpstreamError(502, "The upstream stopped in the middle of its answer.", {
    code: "upstream_incomplete_answer",
    cause,
  });
}

/** The upstream sent more than may be kept in memory for one answer or one event. */
export function oversizedAnswer(): UpstreamError {
  return invalidAnswer("more than can be handled", "upstream_answer_too_large");
}

/** The caller went away or asked to stop; 499 is what proxies log for that, nobody receives it. */
export function cancelledRequest(cause?: unknown): UpstreamError {
  return new UpstreamError(499, "The request was cancelled.", {
    type: "request_cancelled",
    code: "request_cancelled",
    cause,
  });
}
