import { isRecord, tryParseJson } from "../../lib/json.ts";
import type { FailureReason } from "../../models/connections/schema.ts";
import { redactSecrets } from "./redact-secrets.ts";

/** A provider's model list failed. The message is for people, without secrets. */
export class ProviderFailure extends Error {
  readonly reason: FailureReason;

  constructor(reason: FailureReason, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "ProviderFailure";
    this.reason = reason;
  }
}

export function timedOut(url: string, budgetMs: number): ProviderFailure {
  const seconds = budgetMs >= 1000 ? `${Math.round(budgetMs / 1000)} s` : `${budgetMs} ms`;
  return new ProviderFailure("timeout", `${hostOf(url)} did not answer within ${seconds}`);
}

/** Network failures, for people. */
const networkWords = {
  refused: (url: URL) =>
    `${url.host} refuses connections or closes them: check that the provider is running and that host and port are right`,
  unknown_host: (url: URL) => `Unknown host ${url.hostname}: check the spelling`,
  timeout: (url: URL) => `${url.host} did not answer in time`,
  tls: (url: URL) =>
    `No trusted encrypted connection to ${url.host}: its certificate is invalid, or it uses plain http`,
  unreachable: (url: URL) => `${url.host} could not be reached, or closed the connection`,
} satisfies Partial<Record<FailureReason, (url: URL) => string>>;

/** The runtime's own error may contain internal addresses, so it stays the cause. */
export function networkProblem(reason: keyof typeof networkWords, url: string, cause?: unknown): ProviderFailure {
  return new ProviderFailure(reason, networkWords[reason](new URL(url)), cause);
}

/** Cloudflare's statuses for unreachable providers (developers.cloudflare.com, 5xx errors). */
const edgeStatuses: Record<number, keyof typeof networkWords> = {
  521: "refused",
  522: "timeout",
  523: "unreachable",
  524: "timeout",
  525: "tls",
  526: "tls",
  530: "unknown_host",
};

/** The failure for a status outside 2xx. `text` is the body. */
export function failureOfStatus(response: Response, text: string, url: string, secrets: string[]): ProviderFailure {
  const host = hostOf(url);
  const { status } = response;
  const said = quote(text, secrets);
  const edge = edgeStatuses[status];
  if (edge) return networkProblem(edge, url);
  if (status >= 300 && status < 400) {
    const location = response.headers.get("location") ?? "";
    const target = URL.canParse(location, url) ? new URL(location, url).origin : "another address";
    return new ProviderFailure("redirected", `${host} redirects to ${target}: enter the final address`);
  }
  if (status === 401 || status === 403) {
    const what = secrets.length > 0 ? `${host} rejected the key` : `${host} requires a key`;
    return new ProviderFailure("key_refused", `${what} (${status})${said}`);
  }
  if (status === 404 || status === 405) {
    return new ProviderFailure(
      "not_found",
      `${host} has no model list at ${new URL(url).pathname} (${status}): check the base address, which usually ends with /v1`,
    );
  }
  if (status === 429) return new ProviderFailure("rate_limited", `${host} reports too many requests (429)${said}`);
  return new ProviderFailure("provider_error", `${host} returned an error (${status})${said}`);
}

/** The failure for a successful answer that is not a model list. */
export function notAModelList(url: string, text: string, secrets: string[]): ProviderFailure {
  const what = /^\s*</.test(text) ? "a web page" : text.trim() === "" ? "an empty answer" : "something else";
  return new ProviderFailure(
    "not_a_model_list",
    `${hostOf(url)} answered with ${what} instead of a model list: check the base address${quote(text, secrets)}`,
  );
}

function hostOf(url: string): string {
  return new URL(url).host;
}

/** The upstream's message from an error body, short and without secrets. */
function quote(text: string, secrets: string[]): string {
  const value = tryParseJson(text);
  const error = isRecord(value) ? (value.error ?? value.detail ?? value.message) : undefined;
  const message = isRecord(error) ? error.message : error;
  if (typeof message !== "string" || message.trim() === "") return "";
  const clean = redactSecrets(message, secrets).replace(/\s+/g, " ").trim();
  return `: ${clean.length > 200 ? `${clean.slice(0, 200)}…` : clean}`;
}
