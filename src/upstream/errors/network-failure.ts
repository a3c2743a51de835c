import { isRecord } from "../../lib/json.ts";
import { UpstreamError } from "./upstream-error.ts";

interface FailureKind {
  pattern: RegExp;
  status: number;
  code: string;
  message: string;
}

/** Tried in order against names, codes and messages of the error and its causes, from Node (undici) and workerd. */
const kinds: FailureKind[] = [
  {
    pattern: /address_not_allowed|OutboundRefused/i,
    status: 502,
    code: "upstream_address_not_allowed",
    message: "The address of this model's connection is not allowed.",
  },
  {
    pattern: /ENOTFOUND|EAI_AGAIN|getaddrinfo|DNS|name (?:not|could not be) resolved/i,
    status: 502,
    code: "upstream_unreachable",
    message: "The upstream's host name could not be resolved.",
  },
  {
    pattern: /TimeoutError|ETIMEDOUT|UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT|timed? ?out/i,
    status: 504,
    code: "upstream_timeout",
    message: "The upstream did not answer in time.",
  },
  {
    pattern: /certificate|CERT_|_CERT|\bTLS\b|\bSSL\b|ERR_SSL|ERR_TLS|handshake|EPROTO|ALTNAME/i,
    status: 502,
    code: "upstream_tls_failed",
    message: "Could not establish a trusted encrypted connection to the upstream.",
  },
  {
    pattern: /ECONNREFUSED|connection refused|connect\(\)|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL/i,
    status: 502,
    code: "upstream_unreachable",
    message: "The upstream refused the connection or cannot be reached.",
  },
  {
    pattern: /content.?encoding|incorrect header check|Z_DATA_ERROR|gzip|brotli|decompress/i,
    status: 502,
    code: "upstream_invalid_answer",
    message: "The upstream's answer could not be decompressed.",
  },
  {
    pattern:
      /ECONNRESET|EPIPE|UND_ERR_SOCKET|terminated|other side closed|aborted|connection (?:was )?lost|disconnected/i,
    status: 502,
    code: "upstream_disconnected",
    message: "The connection to the upstream was lost.",
  },
];

/** Names, codes and messages of an error and its causes; errors of a happy-eyeballs connect come as an AggregateError. */
function describe(error: unknown, depth = 0): string {
  if (depth > 4) return "";
  if (!(error instanceof Error)) return isRecord(error) ? String(error["code"] ?? "") : String(error ?? "");
  const code = "code" in error ? String(error.code) : "";
  const parts = error instanceof AggregateError ? error.errors.map((part) => describe(part, depth + 1)) : [];
  return [error.name, code, error.message, describe(error.cause, depth + 1), ...parts].join(" ");
}

/**
 * The error for a failed fetch or a broken body. The runtime's own message is not shown, because it may contain
 * internal addresses; it is kept as the cause, for the log.
 */
export function networkFailure(error: unknown): UpstreamError {
  if (error instanceof UpstreamError) return error;
  const description = describe(error);
  const kind = kinds.find(({ pattern }) => pattern.test(description));
  const { status, code, message } = kind ?? {
    status: 502,
    code: "upstream_unreachable",
    message: "The upstream could not be reached.",
  };
  return new UpstreamError(status, message, { type: "upstream_error", code, cause: error });
}
