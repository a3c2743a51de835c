import { AppError } from "../errors.ts";
import { explainRejection } from "../upstream/errors/explain-rejection.ts";
import type { AttemptError } from "./schema.ts";

/** For the look at what is wrong with an address, milliseconds. */
const lookTimeoutMs = 3000;

/**
 * The failure for a rejected fetch; runtimes report it only as text, and some not at all.
 * @param fetch the function that was called, for another check
 */
export async function failureOf(error: unknown, url: string, fetch: typeof globalThis.fetch): Promise<AttemptError> {
  if (error instanceof AppError && error.code === "address_not_allowed") return "private_address";
  const { reason } = await explainRejection(error, url, fetch, AbortSignal.timeout(lookTimeoutMs));
  return reason === "tls" || reason === "timeout" ? reason : "unreachable";
}
