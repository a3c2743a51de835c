import { describe, expect, it } from "vitest";
import { AppError } from "../../src/errors.ts";
import { networkFailure } from "../../src/upstream/errors/network-failure.ts";
import { redactSecrets } from "../../src/upstream/errors/redact-secrets.ts";
import { UpstreamError } from "../../src/upstream/errors/upstream-error.ts";

const withCode = (message: string, code: string): Error => Object.assign(new Error(message), { code });
const failed = (cause: unknown): Error => new TypeError("fetch failed", { cause });

describe("a failure of the network", () => {
  it.each<[string, unknown, number, string]>([
    [
      "a refused connection",
      failed(withCode("connect ECONNREFUSED 127.0.0.1:1", "ECONNREFUSED")),
      502,
      "upstream_unreachable",
    ],
    [
      "every address refused",
      failed(new AggregateError([withCode("a", "ECONNREFUSED"), withCode("b", "ENETUNREACH")])),
      502,
      "upstream_unreachable",
    ],
    ["an unknown host", failed(withCode("getaddrinfo ENOTFOUND x.invalid", "ENOTFOUND")), 502, "upstream_unreachable"],
    [
      "a connect timeout",
      failed(withCode("Connect Timeout Error", "UND_ERR_CONNECT_TIMEOUT")),
      504,
      "upstream_timeout",
    ],
    ["a header timeout", failed(withCode("Headers Timeout Error", "UND_ERR_HEADERS_TIMEOUT")), 504, "upstream_timeout"],
    [
      "a timeout signal",
      new DOMException("The operation was aborted due to timeout", "TimeoutError"),
      504,
      "upstream_timeout",
    ],
    [
      "a self-signed certificate",
      failed(withCode("self-signed certificate", "DEPTH_ZERO_SELF_SIGNED_CERT")),
      502,
      "upstream_tls_failed",
    ],
    [
      "a plain answer to TLS",
      failed(withCode("wrong version number", "ERR_SSL_WRONG_VERSION_NUMBER")),
      502,
      "upstream_tls_failed",
    ],
    ["workerd's lost connection", new Error("Network connection lost."), 502, "upstream_disconnected"],
    ["a reset connection", failed(withCode("read ECONNRESET", "ECONNRESET")), 502, "upstream_disconnected"],
    [
      "a cut body",
      new TypeError("terminated", { cause: withCode("other side closed", "UND_ERR_SOCKET") }),
      502,
      "upstream_disconnected",
    ],
    [
      "a wrong encoding",
      new TypeError("terminated", { cause: withCode("incorrect header check", "Z_DATA_ERROR") }),
      502,
      "upstream_invalid_answer",
    ],
    [
      "an address that the guard refuses",
      new AppError("address_not_allowed", "no"),
      502,
      "upstream_address_not_allowed",
    ],
    ["something else", "boom", 502, "upstream_unreachable"],
  ])("of %s has a status and a code of its own", (_name, error, status, code) => {
    const failure = networkFailure(error);
    expect(failure).toMatchObject({ status, code, type: "upstream_error" });
    expect(failure.cause).toBe(error);
  });

  it("that is known already stays what it is", () => {
    const known = new UpstreamError(429, "wait");
    expect(networkFailure(known)).toBe(known);
  });
});

describe("messages", () => {
  const key = "my/own+key=42";

  it.each([
    ["the key itself", `bad key ${key}!`, "bad key [redacted]!"],
    ["the key in an address", `GET /x?key=${encodeURIComponent(key)} failed`, "GET /x?key=[redacted] failed"],
    [
      "another key of a known form",
      "Incorrect API key provided: sk-proj-abcdefgh1234.",
      "Incorrect API key provided: [redacted].",
    ],
    [
      "a masked key",
      "Incorrect API key provided: sk-ab***************wxyz.",
      "Incorrect API key provided: [redacted].",
    ],
    ["a header", "header was 'Bearer abc.def-ghi'", "header was '[redacted]'"],
    ["nothing to hide", "max_tokens must be < 4096 *for this model*", "max_tokens must be < 4096 *for this model*"],
  ])("are free of %s", (_name, text, clean) => {
    expect(redactSecrets(text, [key])).toBe(clean);
  });

  it("are not destroyed by an empty or tiny secret", () => {
    expect(redactSecrets("a message", ["", "a"])).toBe("a message");
  });
});
