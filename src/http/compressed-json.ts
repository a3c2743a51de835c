/** Shorter bodies are sent as they are, in UTF-16 units: they would not become much smaller. */
const leastLength = 4096;

/**
 * A JSON answer, compressed where the client takes gzip. The runtime compresses a body whose answer says that it is; a
 * proxy or the edge in front passes it on.
 * @param accepts the request's `Accept-Encoding`
 */
export function compressedJson(value: unknown, accepts: string | undefined): Response {
  const text = JSON.stringify(value);
  const headers = new Headers({ "content-type": "application/json", vary: "accept-encoding" });
  if (text.length >= leastLength && takesGzip(accepts)) headers.set("content-encoding", "gzip");
  return new Response(text, { headers });
}

/** RFC 9110, section 12.5.3: named, or by `*`, and not with a weight of zero. */
function takesGzip(accepts = ""): boolean {
  const weights = new Map(
    accepts.split(",").map((each) => {
      const [name = "", ...parameters] = each.toLowerCase().split(";");
      const weight = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/u.exec(parameter)?.[1]).find(Boolean);
      return [name.trim(), weight === undefined ? 1 : Number(weight)];
    }),
  );
  return (weights.get("gzip") ?? weights.get("*") ?? 0) > 0;
}
