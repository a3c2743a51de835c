import { networkFailure } from "./network-failure.ts";
import { networkProblem, ProviderFailure } from "./provider-failure.ts";

/**
 * Why a fetch was rejected before any response. workerd reports only "internal error" for both an unknown host and a
 * failed TLS handshake; a call without TLS and without secrets to the same host tells them apart.
 */
export async function explainRejection(
  error: unknown,
  url: string,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
): Promise<ProviderFailure> {
  if (error instanceof ProviderFailure) return error;
  if (isUnexplained(error)) {
    const isName = url.startsWith("http:") || !(await hasHost(url, fetch, signal));
    return networkProblem(isName ? "unknown_host" : "tls", url, error);
  }
  const { code, message } = networkFailure(error);
  switch (code) {
    case "upstream_timeout":
      return networkProblem("timeout", url, error);
    case "upstream_tls_failed":
      return networkProblem("tls", url, error);
    // To workerd, a connection that is refused is one that is lost.
    case "upstream_disconnected":
      return networkProblem("refused", url, error);
    default:
      if (/host name/.test(message)) return networkProblem("unknown_host", url, error);
      return networkProblem(/refused/.test(message) ? "refused" : "unreachable", url, error);
  }
}

function isUnexplained(error: unknown): boolean {
  return error instanceof Error && /^internal error\b/i.test(error.message);
}

async function hasHost(url: string, fetch: typeof globalThis.fetch, signal: AbortSignal): Promise<boolean> {
  const { hostname, port } = new URL(url);
  try {
    const response = await fetch(`http://${hostname}:${port || 443}/`, { method: "HEAD", redirect: "manual", signal });
    await response.body?.cancel();
    return true;
  } catch (error) {
    return !isUnexplained(error);
  }
}
