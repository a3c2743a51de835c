import { packedTypes } from "../src/http/packed-types.ts";

/** Whether an Accept-Encoding (RFC 9110, 12.5.3) names brotli and does not refuse it. */
function takesBrotli(accepted: string | null): boolean {
  return (accepted ?? "").split(",").some((part) => /^\s*br\s*(?:;\s*q=(?!0(?:\.0*)?\s*$)|$)/i.test(part));
}

/**
 * The compressed file that the build put beside a file of the UI, for browsers that take one. Only on one machine: on the
 * edge, files are compressed and served without a Worker.
 *
 * @returns undefined where there is none
 */
export async function findPackedFile(request: Request, assets: Fetcher): Promise<Response | undefined> {
  const url = new URL(request.url);
  const type = packedTypes.get(/\.\w+$/.exec(url.pathname)?.[0] ?? "");
  if (type === undefined || request.headers.has("range")) return undefined;
  if (request.method !== "GET" && request.method !== "HEAD") return undefined;
  if (!takesBrotli(request.headers.get("accept-encoding"))) return undefined;
  url.pathname += ".br";
  const file = await assets.fetch(url, { method: request.method, headers: request.headers });
  if (file.status !== 200 && file.status !== 304) return undefined;
  const headers = new Headers(file.headers);
  headers.set("content-type", type);
  headers.set("content-encoding", "br");
  headers.set("vary", "Accept-Encoding");
  return new Response(file.body, { status: file.status, headers, encodeBody: "manual" });
}
