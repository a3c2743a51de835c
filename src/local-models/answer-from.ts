import { readBytes } from "../http/byte-reader.ts";
import { readBounded } from "../http/read-bounded.ts";
import { secretsOf } from "../models/connections/connection.ts";
import { redactSecrets } from "../upstream/errors/redact-secrets.ts";
import type { RuntimeAnswer } from "./ask-runtimes.ts";
import { responseHeaders } from "./proxy-headers.ts";

/** Largest error that is looked through for secrets, in bytes; the rest of it is left out. */
const maxErrorBytes = 65_536;

/**
 * What these say is said of the connection's own key, which is not the caller's: clients read them as the end of their session.
 * The runtime's words stay.
 */
const ofConnection = new Set([401, 403, 407]);

/** Status and headers for the caller. */
function answerHead({ response }: RuntimeAnswer): { status: number; headers: Headers } {
  const headers = responseHeaders(response.headers);
  if (!ofConnection.has(response.status)) return { status: response.status, headers };
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

/** A runtime's error in its own words, without what the connection keeps secret. */
export async function answerFailure(answer: RuntimeAnswer): Promise<Response> {
  const { asked, response } = answer;
  const secrets = asked.flatMap(secretsOf);
  if (secrets.length === 0 || !response.body) return answerFrom(answer);
  const { status, headers } = answerHead(answer);
  const { text } = await readBounded(readBytes(response.body), maxErrorBytes);
  return new Response(redactSecrets(text, secrets), { status, headers });
}
