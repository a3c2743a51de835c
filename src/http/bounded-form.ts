import type { MiddlewareHandler } from "hono";
import { readBytes } from "./body.ts";
import type { AppEnvironment } from "./routes.ts";

/** Overhead of a form besides its file, in bytes. */
const overhead = 100_000;

/**
 * Reads a form with one file before it is validated, within limits.
 * @param limit of the file, in bytes.
 * @throws AppError `payload_too_large` as soon as it is known.
 */
export function boundedForm(limit: number): MiddlewareHandler<AppEnvironment> {
  return async (c, next) => {
    const { url, method, signal, headers } = c.req.raw;
    const bytes = await readBytes(c.req.raw, limit + overhead);
    const plain = new Headers(headers);
    plain.delete("content-length");
    c.req.raw = new Request(url, { method, headers: plain, body: bytes.length > 0 ? bytes : null, signal });
    await next();
  };
}
