import { requireAdmin } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { readBytes } from "../../http/byte-reader.ts";
import { readBounded } from "../../http/read-bounded.ts";
import { networkFailure } from "../../upstream/errors/network-failure.ts";
import { type LoadedSource, maxSourceLength } from "../schema.ts";

const timeoutMs = 20_000;

/**
 * Loads a source from a public address. The address of a file's page on GitHub is converted to that of the file.
 * @throws AppError `forbidden`; `bad_request` for an invalid address or source; `address_not_allowed`;
 *   `payload_too_large`; `upstream_unreachable`, `upstream_timeout`.
 */
export async function loadUrl(ctx: Context, text: string): Promise<LoadedSource> {
  requireAdmin(ctx);
  const url = rawAddress(readAddress(text));
  const content = await fetchText(ctx, url);
  if (content.includes("\u0000") || /^\s*<(!doctype|html)\b/i.test(content))
    throw new AppError("bad_request", `${url.host} did not return a source: enter the address of the file itself`);
  if (content.trim() === "") throw new AppError("bad_request", `${url.host} returned an empty file`);
  return { name: nameOf(url), content };
}

/** @throws AppError `bad_request` */
export function readAddress(text: string): URL {
  const trimmed = text.trim();
  if (!URL.canParse(trimmed) || !/^https?:/i.test(trimmed))
    throw new AppError("bad_request", "Not an http or https address", { param: "url" });
  return new URL(trimmed);
}

/**
 * Converts `github.com/<owner>/<repository>/blob/<ref>/<path>` to the file's own address. Gists have theirs below the
 * page.
 */
export function rawAddress(url: URL): URL {
  const parts = url.pathname.split("/").slice(1);
  if (/^(www\.)?github\.com$/.test(url.hostname)) {
    const [owner, repository, kind, ...rest] = parts;
    if ((kind === "blob" || kind === "raw") && rest.length > 1)
      return new URL(`https://raw.githubusercontent.com/${[owner, repository, ...rest].join("/")}`);
  }
  if (url.hostname === "gist.github.com" && parts.length === 2)
    return new URL(`https://gist.githubusercontent.com/${parts.join("/")}/raw`);
  return url;
}

async function fetchText(ctx: Context, url: URL): Promise<string> {
  const { status, text } = await fetchAddress(ctx, url, maxSourceLength, { accept: "text/plain, */*;q=0.5" });
  if (status < 200 || status > 299)
    throw new AppError("bad_request", `${url.host} answered ${status}: no file at this address`);
  return text.replaceAll("\r\n", "\n");
}

/**
 * Asks an address that a person gave, through the guard.
 * @param maxLength of the answer, in characters
 * @throws AppError `address_not_allowed`, `payload_too_large`, `upstream_unreachable`, `upstream_timeout`.
 */
export async function fetchAddress(
  ctx: Context,
  url: URL,
  maxLength: number,
  headers: Record<string, string>,
): Promise<{ status: number; headers: Headers; text: string }> {
  try {
    const response = await ctx.outbound.guarded(url.href, {
      // GitHub refuses requests without a name.
      headers: { "user-agent": "Parley", ...headers },
      signal: AbortSignal.timeout(timeoutMs),
    });
    const { status } = response;
    if (!response.body || !response.ok) {
      await response.body?.cancel();
      return { status, headers: response.headers, text: "" };
    }
    // A character has up to three bytes for each unit of its length.
    const { text, ended } = await readBounded(readBytes(response.body as ReadableStream<Uint8Array>), 3 * maxLength);
    if (!ended || text.length > maxLength)
      throw new AppError("payload_too_large", `The file has more than ${maxLength.toLocaleString("en")} characters`);
    return { status, headers: response.headers, text };
  } catch (error) {
    if (error instanceof AppError) throw error;
    const late = error instanceof DOMException && error.name === "TimeoutError";
    throw new AppError(
      late ? "upstream_timeout" : "upstream_unreachable",
      late ? `${url.host} did not answer in time` : `${url.host} could not be reached`,
      { cause: networkFailure(error) },
    );
  }
}

/** The file's name; that of what it lies in where every plugin's file is called the same. */
function nameOf(url: URL): string {
  const parts = url.pathname.split("/").filter((part) => part !== "");
  const named = parts
    .map((part) => decode(part).replace(/\.(py|ts|mts|js|mjs|txt)$/i, ""))
    .findLast((part) => !/^(main|index|__init__|functions?|tools?|pipe|filter|action|raw)$/i.test(part));
  return (named ?? url.hostname).slice(0, 100);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
