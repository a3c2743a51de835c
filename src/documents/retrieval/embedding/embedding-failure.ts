import { AppError } from "../../../errors.ts";
import { UpstreamError } from "../../../upstream/errors/upstream-error.ts";
import { BadVector } from "./vector.ts";

/**
 * What can be done about it: try again, send fewer texts at once, send fewer or shorter ones, or nothing before somebody changes
 * something.
 */
export type Remedy = "again" | "fewer" | "shorter" | "none";

/** Texts could not be embedded. The message is for people and free of secrets. */
export class EmbeddingFailure extends Error {
  readonly remedy: Remedy;
  /** Seconds until another try can help, where the provider says so. */
  readonly retryAfter: number | undefined;
  /** The provider has too much to do, from us or from others. */
  readonly isBusy: boolean;
  /** It was not done in time. */
  readonly isLate: boolean;

  constructor(
    remedy: Remedy,
    message: string,
    details: { retryAfter?: number | undefined; isBusy?: boolean; isLate?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause: details.cause });
    this.name = "EmbeddingFailure";
    this.remedy = remedy;
    this.retryAfter = details.retryAfter;
    this.isBusy = details.isBusy ?? false;
    this.isLate = details.isLate ?? false;
  }
}

/** Whatever an upstream says, nobody waits longer for it than this at once; seconds. */
const maxRetryAfterSeconds = 300;

/** Too large, too many, too long, or wrong altogether: which of them, providers say in words of their own. */
const tooMuch = new Set([400, 413, 422]);
const passing = new Set([408, 409, 425, 429]);
/** What a connection that is wrong comes to: another try changes nothing. */
const settled = new Set([
  "upstream_unauthorized",
  "upstream_forbidden",
  "upstream_redirect",
  "upstream_address_not_allowed",
]);
const oversized = new Set(["upstream_answer_too_large", "upstream_wrong_count"]);

/** @param model its id, for the message; @param now epoch milliseconds */
export function embeddingFailure(error: unknown, model: string, now: number): EmbeddingFailure {
  if (error instanceof EmbeddingFailure) return error;
  const say = (what: string) => `The embedding model ${model}: ${what}`;
  if (error instanceof BadVector)
    return new EmbeddingFailure("again", say(`the provider answered with ${error.message}`), { cause: error });
  if (error instanceof AppError) return new EmbeddingFailure("none", error.message, { cause: error });
  if (!(error instanceof UpstreamError)) throw error;
  const { status, code } = error;
  const retryAfter = secondsOf(error, now);
  const isBusy = status === 429 || status === 503 || retryAfter !== undefined;
  return new EmbeddingFailure(remedyOf(status, code), say(error.message.slice(0, 500)), {
    retryAfter,
    isBusy,
    isLate: status === 504,
    cause: error,
  });
}

function remedyOf(status: number, code: string | null): Remedy {
  if (code !== null && settled.has(code)) return "none";
  if (tooMuch.has(status)) return "shorter";
  if (code !== null && oversized.has(code)) return "fewer";
  return status >= 500 || passing.has(status) ? "again" : "none";
}

/** `Retry-After` in seconds or as a date, `retry-after-ms` before it. */
function secondsOf({ headers, retryAfter }: UpstreamError, now: number): number | undefined {
  const milliseconds = Number(headers.get("retry-after-ms") ?? Number.NaN);
  const said = Number.isFinite(milliseconds) ? milliseconds / 1000 : Number(retryAfter ?? Number.NaN);
  const seconds = Number.isFinite(said) ? said : (Date.parse(retryAfter ?? "") - now) / 1000;
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), maxRetryAfterSeconds) : undefined;
}
