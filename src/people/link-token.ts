import { AppError } from "../errors.ts";
import { randomToken } from "../lib/random-token.ts";
import { sha256Hex } from "../lib/sha256.ts";

/** The token of a link that works once, and what is stored of it. 256 random bits need no slow hash. */
export async function newLinkToken(): Promise<{ token: string; tokenHash: string }> {
  const token = randomToken();
  return { token, tokenHash: await sha256Hex(token) };
}

/** The address of a link. Its token stands behind the `#`, which browsers send to nobody: no log and no `Referer` has it. */
export function linkAddress(origin: string, page: "/join" | "/new-password", token: string): string {
  return `${origin}${page}#${token}`;
}

/** One answer for every link that opens nothing, so that nobody learns which ones there were. */
export function linkOver(): AppError {
  return new AppError("not_found", "This link is not valid any more. Ask for a new one");
}
