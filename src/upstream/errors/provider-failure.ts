import { isRecord, tryParseJson } from "../../lib/json.ts";
import type { FailureReason } from "../../models/connections/schema.ts";
import { redactSecrets } from "./redact-secrets.ts";

/** A provider's model list could not be had. The message is for people, and free of secrets. */
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

/** What the network did, in words for people. */
const networkWords = {
  refused: (url: URL) =>
    `Nothing answers at ${url.host}, or it breaks connections off: is the provider running, and are host and port right?`,
  unknown_host: (url: URL) => `There is no host named ${url.hostname}: check the spelling`,
  timeout: (url: URL) => `${url.host} did not answer in time`,
  tls: (url: URL) =>
    `No trusted encrypted connection to ${url.host}: its certificate is not valid, or it speaks plain http`,
  unreachable: (url: URL) => `${url.host} could not be reached, or broke its answer off`,
} satisfies Partial<Record<FailureReason, (url: URL) => string>>;

/** The runtime's own error may name inner addresses: it stays the cause. */
export function networkProblem(reason: keyof typeof networkWords, url: string, cause?: unknown): ProviderFailure {
  return new ProviderFailure(reason, networkWords[reason](new URL(url)), cause);
}

/** Statuses by which the edge says that it could not reach the provider (developers.cloudflare.com, 5xx errors). */
const edgeStatuses: Record<number, keyof typeof networkWords> = {
  521: "refused",
  522: "timeout",
  523: "unreachable",
  524: "timeout",
  525: "tls",
  526: "tls",
  530: "unknown_host",
};

/** The failure behind a status other than 2xx. `text` is what came with it. */
export function failureOfStatus(response: Response, text: string, url: string, secrets: string[]): ProviderFailure {
  const host = hostOf(url);
  const { status } = response;
  const said = quote(text, secrets);
  const edge = edgeStatuses[status];
  if (edge) return networkProblem(edge, url);
  if (status >= 300 && status < 400) {
    const location = response.headers.get("location") ?? "";
    const target = URL.canParse(location, url) ? new URL(location, url).origin : "another address";
    return new ProviderFailure("redirected", `${host} redirects to ${target}: use the address that answers itself`);
  }
  if (status === 401 || status === 403) {
    const what = secrets.length > 0 ? `${host} refused the key` : `${host} wants a key`;
    return new ProviderFailure("key_refused", `${what} (${status})${said}`);
  }
  if (status === 404 || status === 405) {
    return new ProviderFailure(
      "not_found",
      `${host} has no model list at ${new URL(url).pathname} (${status}): check the base address, most providers have theirs under /v1`,
    );
  }
  if (status === 429) return new ProviderFailure("rate_limited", `${host} answers too many requests (429)${said}`);
  return new ProviderFailure("provider_error", `${host} answered with an error (${status})${said}`);
}

/** The failure behind an answer with a good status that is something else. */
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

/** The upstream's own words out of an error body, short and without secrets. */
function quote(text: string, secrets: string[]): string {
  const value = tryParseJson(text);
  const error = isRecord(value) ? (value.error ?? value.detail ?? value.message) : undefined;
  const message = isRecord(error) ? error.message : error;
  if (typeof message !== "string" || message.trim() === "") return "";
  const clean = redactSecrets(message, secrets).replace(/\s+/g, " ").trim();
  return `: ${clean.length > 200 ? `${clean.slice(0, 200)}…` : clean}`;
}
