import { get, type RequestOptions } from "node:http";

/**
 * The status that something answers by HTTP, or 0 without an answer in time. node:http instead of fetch: loading fetch costs the
 * launcher 20 MB for good.
 */
export function askStatus(where: RequestOptions, timeoutMs: number): Promise<number> {
  return new Promise((resolve) => {
    const request = get({ ...where, timeout: timeoutMs, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.on("timeout", () => request.destroy());
    request.on("error", () => resolve(0));
  });
}
