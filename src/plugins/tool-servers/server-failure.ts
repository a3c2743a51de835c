import type { FailureReason } from "../../models/connections/schema.ts";
import { explainRejection } from "../../upstream/errors/explain-rejection.ts";

/**
 * `outage`: it did not respond; `sign_in`: the person has to connect to it first; `answer`: its answer was invalid;
 * `refused`: nothing was sent, because of Parley or the arguments.
 */
export type ServerFailureKind = "outage" | "sign_in" | "answer" | "refused";

/** A problem with a tool server or a call to it, for people and models, without secrets. */
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

/** The failure for a rejected fetch. */
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
