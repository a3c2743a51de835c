import { networkFailure } from "../../chat/completions/network-failure.ts";
import { redactSecrets } from "../../chat/completions/redact-secrets.ts";
import { isRecord, tryParseJson } from "../../lib/json.ts";
import type { FailureReason } from "../connections/schema.ts";

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

/** The failure behind a rejected fetch; its own text may hold inner addresses and stays the cause. */
export function failureOfFetch(error: unknown, url: string): ProviderFailure {
  if (error instanceof ProviderFailure) return error;
  const { code, message } = networkFailure(error);
  const host = hostOf(url);
  switch (code) {
    case "upstream_timeout":
      return new ProviderFailure("timeout", `${host} did not answer in time`, error);
    case "upstream_tls_failed":
      return new ProviderFailure(
        "tls",
        `No trusted encrypted connection to ${host}: its certificate is not valid, or it speaks plain http`,
        error,
      );
    case "upstream_disconnected":
      return new ProviderFailure("unreachable", `${host} broke the connection off`, error);
    default:
      break;
  }
  if (/host name/.test(message))
    return new ProviderFailure(
      "unknown_host",
      `There is no host named ${new URL(url).hostname}: check the spelling`,
      error,
    );
  if (/refused/.test(message))
    return new ProviderFailure(
      "refused",
      `Nothing answers at ${host}: is the provider running, and are host and port right?`,
      error,
    );
  return new ProviderFailure("unreachable", `${host} could not be reached`, error);
}

/** The failure behind a status other than 2xx. `text` is what came with it. */
export function failureOfStatus(response: Response, text: string, url: string, secrets: string[]): ProviderFailure {
  const host = hostOf(url);
  const { status } = response;
  const said = quote(text, secrets);
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
