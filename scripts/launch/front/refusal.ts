import { errorFields } from "../../../src/http/render-messages-error.ts";
import { newId } from "../../../src/lib/id.ts";
import { isScimPath, scimPath } from "../../../src/scim/paths.ts";

/** Why a request or connection is not taken. */
export class Refusal {
  readonly status: keyof typeof reasons;
  readonly message: string;

  constructor(status: keyof typeof reasons, message: string) {
    this.status = status;
    this.message = message;
  }
}

const reasons = {
  400: ["Bad Request", "bad_request"],
  408: ["Request Timeout", "request_timeout"],
  421: ["Misdirected Request", "misdirected_request"],
  429: ["Too Many Requests", "too_many_requests"],
  431: ["Request Header Fields Too Large", "headers_too_large"],
  503: ["Service Unavailable", "not_ready"],
  505: ["HTTP Version Not Supported", "version_not_supported"],
} as const;

/** The code of a refusal's status, as in its answer. */
export function codeOf({ status }: Refusal): string {
  return reasons[status][1];
}

/** In whose words a path is answered. `usual`: what clients of both other forms read. */
export function dialectOf(target: string): "messages" | "scim" | "usual" {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, "").replace(/[?#].*$/s, "");
  if (isScimPath(scimPath(path))) return "scim";
  return /^\/(?:api\/)?(?:v1\/)?messages?(?:\/|$)|^\/(?:localmodel|ollama)\/(?:[^/]+\/)?v1\/messages/.test(path)
    ? "messages"
    : "usual";
}

/**
 * The whole answer.
 * @param target what the request asks for; undefined where nobody knows
 */
export function renderRefusal({ status, message }: Refusal, target = "", requestId = newId()): Buffer {
  const [title, code] = reasons[status];
  const lines = [`HTTP/1.1 ${status} ${title}`, `X-Request-Id: ${requestId}`, "X-Content-Type-Options: nosniff"];
  let type = "application/problem+json";
  let body: unknown;
  switch (dialectOf(target)) {
    case "messages":
      type = "application/json";
      body = { type: "error", error: errorFields(status, message), request_id: requestId };
      lines.push(`Request-Id: ${requestId}`);
      break;
    case "scim":
      type = "application/scim+json";
      body = {
        schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
        status: String(status),
        detail: message,
      };
      break;
    case "usual": {
      // `detail` (RFC 9457) and `error.message`: clients of both forms find what they look for.
      const error = { message, type: code, code };
      body = { type: "about:blank", title, status, detail: message, code, request_id: requestId, error };
    }
  }
  const text = JSON.stringify(body);
  lines.push(`Content-Type: ${type}`, `Content-Length: ${Buffer.byteLength(text)}`);
  if (status === 429 || status === 503) lines.push("Retry-After: 5");
  return Buffer.from([...lines, "Connection: close", "", text].join("\r\n"));
}
