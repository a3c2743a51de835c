import type { ServerMetadata } from "openid-client";
import type { Context } from "../../../context.ts";
import { isRecord, tryParseJson } from "../../../lib/json.ts";
import { isProviderAddress } from "./provider-address.ts";
import { fetchFromProvider } from "./provider-fetch.ts";
import type { OidcProvider } from "./providers.ts";
import { ProviderError } from "./sso-failure.ts";

/** Seconds for which what a provider says of itself is believed without asking again. */
const freshSeconds = 600;

/** Plain data only: promises or I/O objects of one request hang in another. */
const known = new Map<string, { metadata: ServerMetadata; at: number }>();

/** Addresses of the document that something of ours goes to. */
const endpoints = [
  "authorization_endpoint",
  "token_endpoint",
  "jwks_uri",
  "userinfo_endpoint",
  "end_session_endpoint",
] as const;

/**
 * The provider's discovery document (OpenID Connect Discovery 1.0, section 4.3), checked: its issuer is the one that is
 * configured, and what is sent there goes over https.
 * @param again asks the provider even if the answer is known
 * @throws ProviderError
 */
export async function discover(ctx: Context, provider: OidcProvider, again = false): Promise<ServerMetadata> {
  const { discovery } = provider;
  const found = known.get(discovery);
  const now = Date.now() / 1000;
  if (!again && found && now - found.at < freshSeconds) return structuredClone(found.metadata);
  const metadata = check(discovery, await readDocument(ctx, discovery));
  known.set(discovery, { metadata, at: now });
  return structuredClone(metadata);
}

/** A JSON document of the provider. @throws ProviderError */
export async function readDocument(ctx: Context, address: string): Promise<Record<string, unknown>> {
  const response = await fetchFromProvider(ctx, address, { headers: { accept: "application/json" } });
  if (response.status !== 200) throw new ProviderError(`${address} answered ${response.status}`);
  const document = tryParseJson(await response.text());
  if (!isRecord(document)) throw new ProviderError(`${address} did not return a JSON object`);
  return document;
}

function check(discovery: string, document: Record<string, unknown>): ServerMetadata {
  const { issuer } = document;
  if (typeof issuer !== "string" || !URL.canParse(issuer)) throw new ProviderError(`${discovery} has no issuer`);
  if (!isConfigured(discovery, issuer)) throw new ProviderError(`${discovery} has an unexpected issuer: ${issuer}`);
  const onThisMachine = new URL(discovery).protocol === "http:";
  for (const name of endpoints) {
    const value = document[name];
    if (value === undefined) {
      if (name === "userinfo_endpoint" || name === "end_session_endpoint") continue;
      throw new ProviderError(`${discovery} names no ${name}`);
    }
    const url = typeof value === "string" && URL.canParse(value) ? new URL(value) : undefined;
    if (!url || !isProviderAddress(url) || (url.protocol === "http:" && !onThisMachine))
      throw new ProviderError(`${discovery} names a ${name} that is not https: ${String(value)}`);
  }
  return document as ServerMetadata;
}

/**
 * The issuer has to be the address under which its document was found. A slash at the end is no other issuer; Microsoft's
 * documents, which may be asked for by a tenant's domain, name the issuer by the tenant's id.
 */
function isConfigured(discovery: string, issuer: string): boolean {
  const expected = discovery.slice(0, discovery.indexOf("/.well-known/"));
  if (issuer.replace(/\/$/, "") === expected) return true;
  const { origin } = new URL(discovery);
  return (
    origin === "https://login.microsoftonline.com" &&
    new URL(issuer).origin === origin &&
    /^\/[0-9a-f-]{36}\/v2\.0$/.test(new URL(issuer).pathname)
  );
}
