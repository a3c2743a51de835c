import { ApiError } from "./api-error.ts";

/**
 * For what is stored as a whole, before it is written.
 * @param known what the page shows as stored
 * @param now what is stored
 * @throws ApiError 409 `conflict` if somebody else has changed it
 */
export function requireUnchanged(known: unknown, now: unknown): void {
  if (JSON.stringify(known) !== JSON.stringify(now)) throw new ApiError(409, "conflict", "");
}
