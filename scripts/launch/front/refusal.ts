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

/** The whole answer. Its body is read by clients of both forms of errors: `detail` (RFC 9457) and `error.message`. */
export function renderRefusal({ status, message }: Refusal): Buffer {
  const [title, code] = reasons[status];
  const error = { message, type: code, code };
  const body = JSON.stringify({ type: "about:blank", title, status, detail: message, code, error });
  const retry = status === 429 || status === 503 ? "Retry-After: 5\r\n" : "";
  return Buffer.from(
    `HTTP/1.1 ${status} ${title}\r\nContent-Type: application/problem+json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n${retry}Connection: close\r\n\r\n${body}`,
  );
}
