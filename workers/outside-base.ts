import { consoleLog } from "../src/lib/log.ts";

/** Monitors on this machine and in containers ask for these, whatever the base path is. */
export function isProbe(address: string): boolean {
  return /^\/(?:health|ready|metrics)$/.test(new URL(address).pathname);
}

let hasTold = false;

/** What is answered where BASE_PATH is set and a request is for something else; logged once. */
export function outsideBase(address: string, base: string): Response {
  const { pathname } = new URL(address);
  const detail = `Not found: ${pathname}. Parley is at ${base}/ here (BASE_PATH). If you asked for that, the proxy takes ${base} off the path: let it pass the whole path on.`;
  if (!hasTold)
    consoleLog.warn(
      `A request for ${pathname} is outside of BASE_PATH=${base}. If people asked for a page below it, the proxy in front takes ${base} off the path: let it pass the whole path on.`,
    );
  hasTold = true;
  const body = { type: "about:blank", title: "Not found", status: 404, detail, code: "not_found" };
  return Response.json(body, {
    status: 404,
    headers: { "content-type": "application/problem+json", "cache-control": "no-store" },
  });
}
