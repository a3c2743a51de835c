import type { Context as HonoContext } from "hono";
import type { ResponseHeader } from "hono/utils/headers";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { AppEnvironment } from "./routes.ts";

/** Shorter bodies are sent as they are, in UTF-16 units: compressing them would cost more than it saves. */
const leastLength = 1024;

type HeaderRecord = Partial<Record<ResponseHeader, string | string[]>> & Record<string, string | string[]>;

/**
 * Has `c.json` and `c.text` compress what they answer, where the client takes gzip. The runtime compresses a body whose headers
 * say that it is; a proxy or the edge in front passes it on. Answers of other kinds stay as they are: they are streams, whose
 * parts have to arrive when they are written.
 */
export function compressAnswers(c: HonoContext<AppEnvironment>): void {
  if (!takesGzip(c.req.header("accept-encoding"))) return;
  const answer = (type: string, text: string, status: ContentfulStatusCode = 200, headers?: HeaderRecord): Response =>
    c.body(text, status, { "content-type": type, ...headers, ...(text.length < leastLength ? {} : gzipHeaders) });
  Object.assign(c, {
    json: (value: unknown, status?: ContentfulStatusCode, headers?: HeaderRecord) =>
      answer("application/json", JSON.stringify(value), status, headers),
    text: (value: string, status?: ContentfulStatusCode, headers?: HeaderRecord) =>
      answer("text/plain; charset=UTF-8", value, status, headers),
  });
}

const gzipHeaders = { "content-encoding": "gzip", vary: "accept-encoding" };

/** The headers of a body that is written without pauses. @param length in UTF-16 units, where it is known */
export function encodingFor(accepts: string | undefined, length = Infinity): Record<string, string> {
  return length >= leastLength && takesGzip(accepts) ? gzipHeaders : {};
}

/** RFC 9110, section 12.5.3: named, or by `*`, and not with a weight of zero. */
function takesGzip(accepts = ""): boolean {
  if (accepts === "") return false;
  const weights = new Map(
    accepts.split(",").map((each) => {
      const [name = "", ...parameters] = each.toLowerCase().split(";");
      const weight = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/u.exec(parameter)?.[1]).find(Boolean);
      return [name.trim(), weight === undefined ? 1 : Number(weight)];
    }),
  );
  return (weights.get("gzip") ?? weights.get("*") ?? 0) > 0;
}
