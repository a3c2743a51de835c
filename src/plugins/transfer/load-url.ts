import { requireAdmin } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { readBytes } from "../../http/byte-reader.ts";
import { readBounded } from "../../http/read-bounded.ts";
import { networkFailure } from "../../upstream/errors/network-failure.ts";
import { type LoadedSource, maxSourceLength } from "../schema.ts";

const timeoutMs = 20_000;

/**
 * Fetches a source from a public address. A file's page on GitHub is taken for the file.
 * @throws AppError `forbidden`; `bad_request` for what is no address or no source; `address_not_allowed`; `payload_too_large`;
 * `upstream_unreachable`, `upstream_timeout`.
 */
export async function loadUrl(ctx: Context, text: string): Promise<LoadedSource> {
  requireAdmin(ctx);
  const trimmed = text.trim();
  if (!URL.canParse(trimmed) || !/^https?:/i.test(trimmed))
    throw new AppError("bad_request", "Not an http or https address", { param: "url" });
  const url = rawAddress(new URL(trimmed));
  const content = await fetchText(ctx, url);
  if (content.includes("\u0000") || /^\s*<(!doctype|html)\b/i.test(content))
    throw new AppError("bad_request", `${url.host} did not return a source: enter the address of the file itself`);
  if (content.trim() === "") throw new AppError("bad_request", `${url.host} returned an empty file`);
  return { name: nameOf(url), content };
}

/** `github.com/<owner>/<repository>/blob/<ref>/<path>` is a page; the file itself has another address. Gists have theirs below the page. */
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
  try {
    const response = await ctx.outbound.guarded(url.href, {
      headers: { accept: "text/plain, */*;q=0.5" },
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new AppError("bad_request", `${url.host} answered ${response.status}: no file at this address`);
    }
    if (!response.body) return "";
    // A character has up to three bytes for each unit of its length.
    const { text, ended } = await readBounded(
      readBytes(response.body as ReadableStream<Uint8Array>),
      3 * maxSourceLength,
    );
    if (!ended || text.length > maxSourceLength)
      throw new AppError("payload_too_large", `The file has more than ${maxSourceLength / 1000},000 characters`);
    return text.replaceAll("\r\n", "\n");
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
