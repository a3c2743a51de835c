import { UpstreamError } from "../../../upstream/errors/upstream-error.ts";

/** An error for what this provider does not support, in the caller's dialect. */
export function unsupported(message: string, param: string): UpstreamError {
  return new UpstreamError(400, message, { code: "unsupported_value", param });
}
