import { canonicalAddress, type IsIn } from "./addresses.ts";
import { Refusal } from "./refusal.ts";
import { isHost, listOf, type RequestHead, valuesOf } from "./request-head.ts";

/** How the front tells the service what callers may not say; those of callers are removed. */
export const clientAddressHeader = "x-parley-client-address";
export const publicOriginHeader = "x-parley-public-origin";
const own = new Set([clientAddressHeader, publicOriginHeader]);

/** What a request says about its caller, as far as it is to be believed. */
export interface Told {
  address: string;
  /** Where the caller sees the service, if a trusted proxy says so. */
  origin: string | undefined;
  /** The host that the caller asked for. */
  host: string | undefined;
}

/**
 * @param isProxy whether the peer is a trusted proxy
 * @throws Refusal
 */
export function readTold(head: RequestHead, peer: string, isProxy: boolean, isTrusted: IsIn): Told {
  if (!isProxy) return { address: peer, origin: undefined, host: head.host };
  // A proxy adds its own word at the end; what is before it may come from anyone.
  const said = forwardedBy(head);
  const scheme = said.proto.at(-1)?.toLowerCase();
  const forwarded = said.host.at(-1);
  if (forwarded !== undefined && !isHost(forwarded))
    throw new Refusal(400, `The ${said.header("Host")} header is not a host name or address.`);
  const host = forwarded ?? head.host;
  const isKnown = scheme === "https" || scheme === "http" || forwarded !== undefined;
  const url = `${scheme === "https" ? "https" : "http"}://${host}`;
  return {
    address: clientOf(said.for, peer, isTrusted),
    origin: isKnown && URL.canParse(url) ? new URL(url).origin : undefined,
    host,
  };
}

/**
 * What `X-Forwarded-*` say, or `Forwarded` (RFC 7239) where there is none of them: a proxy that sets one form lets the
 * other one of a caller through.
 */
function forwardedBy(head: RequestHead): Record<"for" | "proto" | "host", string[]> & { header(name: string): string } {
  const own = {
    for: listOf(head, "x-forwarded-for"),
    proto: listOf(head, "x-forwarded-proto"),
    host: listOf(head, "x-forwarded-host"),
  };
  const standard = valuesOf(head.fields, "forwarded");
  if (standard.length === 0 || own.for.length + own.proto.length + own.host.length > 0)
    return { ...own, header: (name) => `X-Forwarded-${name}` };
  const pairs = readForwarded(standard.join(","));
  const all = (name: string) => pairs.filter((pair) => pair.name === name).map(({ value }) => value);
  return { for: all("for"), proto: all("proto"), host: all("host"), header: () => "Forwarded" };
}

/** @throws Refusal */
function readForwarded(text: string): { name: string; value: string }[] {
  const pair = /[\s,;]*([!#$%&'*+.^_`|~\w-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s,;"]+))\s*(?=[,;]|$)/gy;
  const pairs: { name: string; value: string }[] = [];
  let end = 0;
  for (const [all, name, quoted, plain] of text.matchAll(pair)) {
    pairs.push({ name: name!.toLowerCase(), value: plain ?? quoted!.replace(/\\(.)/g, "$1") });
    end += all.length;
  }
  if (/[^\s,;]/.test(text.slice(end))) throw new Refusal(400, "The Forwarded header is not of the form of RFC 7239.");
  return pairs;
}

/** The last address that is not one of our proxies. */
function clientOf(chain: readonly string[], peer: string, isTrusted: IsIn): string {
  let client = peer;
  for (const entry of chain.toReversed()) {
    const address = canonicalAddress(entry);
    if (address === undefined) return client;
    client = address;
    if (!isTrusted(address)) return client;
  }
  return client;
}

/** The head as it goes on. */
export function renderHead(head: RequestHead, { address, origin }: Told): Buffer {
  let text = `${head.method} ${head.target} HTTP/${head.version}\r\n`;
  for (const { name, line } of head.fields) if (!own.has(name)) text += `${line}\r\n`;
  text += `${clientAddressHeader}: ${address}\r\n`;
  if (origin !== undefined) text += `${publicOriginHeader}: ${origin}\r\n`;
  return Buffer.from(`${text}\r\n`, "latin1");
}
