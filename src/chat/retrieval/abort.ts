import { cancelledRequest, UpstreamError } from "../../upstream/errors/upstream-error.ts";

/** Why a turn was ended; with the text of a refusal if it was refused. */
export function abortError({ reason }: AbortSignal): UpstreamError {
  return reason instanceof UpstreamError ? reason : cancelledRequest(reason);
}

/** @throws UpstreamError when the signal has fired */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw abortError(signal);
}
