import { UpstreamError } from "../../../upstream/errors/upstream-error.ts";

/** What cannot be said to this provider, in the words of the dialect that it was asked in. */
export function unsupported(message: string, param: string): UpstreamError {
  return new UpstreamError(400, message, { code: "unsupported_value", param });
}
