import type { FailureReason } from "../../models/connections/schema.ts";
import { explainRejection } from "../../upstream/errors/explain-rejection.ts";

/**
 * `outage`: it did not answer; `sign_in`: the person has to connect to it first; `answer`: it answered something that is of no
 * use; `refused`: nothing was sent, for a reason that has to do with us or with what was asked.
 */
export type ServerFailureKind = "outage" | "sign_in" | "answer" | "refused";

/** What is wrong with a tool server or a call of it, in words for people and models, free of secrets. */
export class ServerFailure extends Error {
  readonly kind: ServerFailureKind;

  constructor(kind: ServerFailureKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "ServerFailure";
    this.kind = kind;
  }
}

const words: Partial<Record<FailureReason, (url: URL) => string>> = {
  refused: (url) =>
    `${url.host} refuses connections or closes them: check that the server is running and that host and port are right`,
  unknown_host: (url) => `Unknown host ${url.hostname}: check the spelling`,
  timeout: (url) => `${url.host} did not answer in time`,
  tls: (url) => `No trusted encrypted connection to ${url.host}: its certificate is invalid, or it uses plain http`,
};

/** The failure behind a fetch that was rejected. */
export async function outage(
  error: unknown,
  url: URL,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
): Promise<ServerFailure> {
  const { reason } = await explainRejection(error, url.href, fetch, signal);
  const say = words[reason] ?? ((at: URL) => `${at.host} could not be reached, or closed the connection`);
  return new ServerFailure("outage", say(url), error);
}

export function tooSlow(url: URL, seconds: number): ServerFailure {
  return new ServerFailure("outage", `${url.host} did not answer within ${seconds} s`);
}
