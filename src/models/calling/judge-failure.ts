import { gatewayStatuses } from "../../upstream/errors/gateway-statuses.ts";
import type { UpstreamError } from "../../upstream/errors/upstream-error.ts";

/** The consequences of a failure before the first byte of an answer. */
export interface Verdict {
  /** Whether the call may be repeated: also over the same connection, only over another, or never. */
  again: "here" | "elsewhere" | "never";
  /** How long the provider asks to wait, milliseconds. */
  waitMs: number | undefined;
  /** Whether it counts against the provider: consecutive failures open the breaker. */
  counts: boolean;
}

/** Statuses of providers that did not start the work: overloaded, or too many requests. */
const busyStatuses = new Set([429, 503, 529]);
/** A wrong key, an unknown model: another connection may work, this one will not. */
const elsewhereStatuses = new Set([401, 404]);

/**
 * Judges a failed answer: only failures without side effects are retried. Errors about the request (400 and so on) are
 * the same everywhere; after a 500 the side effects are unknown.
 */
export function judgeStatus(status: number, headers: Headers, now: number): Verdict {
  if (gatewayStatuses.has(status)) return { again: "here", waitMs: undefined, counts: true };
  if (busyStatuses.has(status)) {
    const waitMs = retryAfterMs(headers, now);
    return { again: waitMs === undefined ? "elsewhere" : "here", waitMs, counts: status !== 429 };
  }
  if (elsewhereStatuses.has(status)) return { again: "elsewhere", waitMs: undefined, counts: false };
  return { again: "never", waitMs: undefined, counts: false };
}

/** Judges a call without an answer. A silent provider may still be working, so it is not asked again. */
export function judgeRejection({ code, status }: UpstreamError): Verdict {
  switch (code) {
    case "upstream_unreachable":
    case "upstream_tls_failed":
    case "upstream_disconnected":
      return { again: "here", waitMs: undefined, counts: true };
    case "upstream_timeout":
      return { again: "elsewhere", waitMs: undefined, counts: true };
    case "upstream_address_not_allowed":
      return { again: "elsewhere", waitMs: undefined, counts: false };
    // It was answered, and nobody can read it: the work is done.
    case "upstream_invalid_answer":
      return { again: "never", waitMs: undefined, counts: false };
    default:
      return judgeStatus(status, new Headers(), 0);
  }
}

/** `Retry-After` in seconds or as a date (RFC 9110, 10.2.3), or OpenAI's `retry-after-ms`. */
function retryAfterMs(headers: Headers, now: number): number | undefined {
  const exact = headers.get("retry-after-ms")?.trim();
  if (exact && /^\d{1,9}(?:\.\d+)?$/.test(exact)) return Number(exact);
  const text = headers.get("retry-after")?.trim();
  if (!text) return undefined;
  if (/^\d{1,9}(?:\.\d+)?$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
