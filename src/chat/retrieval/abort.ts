import { cancelledRequest, UpstreamError } from "../../upstream/errors/upstream-error.ts";

/** Why a turn was ended, in the words of a refusal where it was one. */
export function abortError({ reason }: AbortSignal): UpstreamError {
  return reason instanceof UpstreamError ? reason : cancelledRequest(reason);
}

/** @throws UpstreamError when the signal has fired */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw abortError(signal);
}
