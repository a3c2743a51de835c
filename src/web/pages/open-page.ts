import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { isAllowedSite, readDomainRules } from "../search/domain-rules.ts";
import { hostOf, webAddress } from "../search/read-results.ts";
import { PageFailure } from "./page-failure.ts";

/** What the extractor reads of what sites send. */
const readable =
  /^(?:text\/(?:html|plain|markdown|csv|xml|x-[\w.+-]+|rtf|tab-separated-values)|application\/(?:xhtml\+xml|pdf|json|[\w.+-]+\+(?:json|xml)|xml|rtf|epub\+zip|vnd\.openxmlformats-[\w.-]+|vnd\.oasis\.opendocument\.[\w.-]+))$/;

/** A page whose bytes have begun to arrive. */
export interface OpenPage {
  /** After redirects. */
  url: string;
  /** The media type that the site says, without parameters. */
  contentType: string;
  /** Bytes, as the site says; undefined where it does not. */
  size: number | undefined;
  body: ReadableStream<Uint8Array>;
}

/**
 * Asks a site for a page, as a stranger: without cookies, without the person's address. Only public addresses and allowed
 * sites, also after redirects.
 * @param signal ends it, also while the body is read
 * @throws PageFailure
 */
export async function openPage(ctx: Context, address: string, signal: AbortSignal): Promise<OpenPage> {
  const wanted = webAddress(address);
  if (wanted === undefined) throw new PageFailure("not an http(s) address without a password");
  const rules = readDomainRules(ctx.settings.WEB_SEARCH_DOMAIN_FILTER_LIST);
  if (!isAllowedSite(rules, wanted)) throw new PageFailure(`${hostOf(wanted)} is not an allowed site`);
  const response = await ctx.outbound
    .guarded(wanted, {
      headers: {
        accept: "text/html,application/xhtml+xml,application/pdf;q=0.9,text/plain;q=0.8,*/*;q=0.1",
        // Some sites refuse callers without a name.
        "user-agent": "Parley",
      },
      signal,
    })
    .catch((error: unknown) => {
      if (error instanceof AppError) throw new PageFailure(error.message, { cause: error });
      throw new PageFailure(signal.aborted ? "no answer in time" : "could not be reached", { cause: error });
    });
  const { body, headers, status } = response;
  const url = webAddress(response.url) ?? wanted;
  const contentType = (headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase();
  const problem =
    problemOf(response, contentType) ?? (isAllowedSite(rules, url) ? undefined : "leads to a site that is not allowed");
  if (problem !== undefined || !body) {
    await body?.cancel();
    throw new PageFailure(problem ?? `status ${status} without a page`);
  }
  const said = Number(headers.get("content-length") ?? Number.NaN);
  return { url, contentType, size: Number.isFinite(said) ? said : undefined, body };
}

function problemOf({ ok, status, headers }: Response, contentType: string): string | undefined {
  // The egress of one machine says so of what it does not let out.
  if (headers.has("x-parley-egress")) return "could not be reached, or is not a public address";
  if (status === 401 || status === 403) return `the site refuses visitors without an account (status ${status})`;
  if (status === 404 || status === 410) return `the page does not exist (status ${status})`;
  if (!ok) return `status ${status}`;
  if (contentType === "" || readable.test(contentType)) return undefined;
  return `not a text that can be read (${contentType.slice(0, 60)})`;
}
