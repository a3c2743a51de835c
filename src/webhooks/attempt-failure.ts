import { AppError } from "../errors.ts";
import { explainRejection } from "../upstream/errors/explain-rejection.ts";
import type { AttemptError } from "./schema.ts";

/** For the look at what is wrong with an address, milliseconds. */
const lookTimeoutMs = 3000;

/**
 * What a rejected fetch stands for; runtimes say it in words only, and some of them not at all.
 * @param fetch the way by which it was called, for another look
 */
export async function failureOf(error: unknown, url: string, fetch: typeof globalThis.fetch): Promise<AttemptError> {
  if (error instanceof AppError && error.code === "address_not_allowed") return "private_address";
  const { reason } = await explainRejection(error, url, fetch, AbortSignal.timeout(lookTimeoutMs));
  return reason === "tls" || reason === "timeout" ? reason : "unreachable";
}
