import { readBytes } from "../http/byte-reader.ts";
import { readBounded } from "../http/read-bounded.ts";
import { secretsOf } from "../models/connections/connection.ts";
import { rejectsCredentials } from "../upstream/errors/read-upstream-error.ts";
import { redactSecrets } from "../upstream/errors/redact-secrets.ts";
import type { RuntimeAnswer } from "./ask-runtimes.ts";
import { responseHeaders } from "./proxy-headers.ts";

/** Largest error that is looked through for secrets, in bytes; the rest of it is left out. */
const maxErrorBytes = 65_536;

/** Status and headers for the caller. Also where the runtime rejects the connection's key, its words stay. */
function answerHead({ response }: RuntimeAnswer): { status: number; headers: Headers } {
  const headers = responseHeaders(response.headers);
  if (!rejectsCredentials(response.status)) return { status: response.status, headers };
  headers.set("x-upstream-status", String(response.status));
  return { status: 502, headers };
}

/** Statuses whose answers have no body (RFC 9110, section 6.4.1). */
const bodiless = new Set([101, 204, 205, 304]);

/** The runtime's answer with another body, or its own. */
export function answerFrom(answer: RuntimeAnswer, body = answer.response.body): Response {
  const { status, headers } = answerHead(answer);
  return new Response(bodiless.has(status) ? null : body, { status, headers });
}

/** A runtime's error in its own format, without the connection's secrets. */
export async function answerFailure(answer: RuntimeAnswer): Promise<Response> {
  const { asked, response } = answer;
  const secrets = asked.flatMap(secretsOf);
  if (secrets.length === 0 || !response.body) return answerFrom(answer);
  const { status, headers } = answerHead(answer);
  const { text } = await readBounded(readBytes(response.body), maxErrorBytes);
  return new Response(redactSecrets(text, secrets), { status, headers });
}
