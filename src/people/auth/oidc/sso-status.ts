import { sql } from "drizzle-orm";
import { requireAdmin } from "../../../access.ts";
import type { Context } from "../../../context.ts";
import { auditEvents } from "../../audit/tables.ts";
import { discover } from "./discover-provider.ts";
import { listProviders, type OidcProvider } from "./providers.ts";
import type { SsoStatus } from "./schema.ts";
import { callbackAddress } from "./sign-on.ts";
import { ProviderError } from "./sso-failure.ts";
import { readKeys } from "./verify-signature.ts";

/** What is configured, what has to be registered at the providers, and whether they answer at this moment. */
export async function getSsoStatus(ctx: Context): Promise<SsoStatus> {
  requireAdmin(ctx);
  const { settings } = ctx;
  const at = (action: string) => sql`(SELECT max(at) FROM ${auditEvents} WHERE action = ${action})`;
  const [[last], providers] = await Promise.all([
    ctx.db.all<{ signed_in: number | null; failed: number | null }>(
      sql`SELECT ${at("sso.signed_in")} AS signed_in, ${at("sso.sign_in_failed")} AS failed`,
    ),
    Promise.all(listProviders(settings).map((provider) => tryProvider(ctx, provider))),
  ]);
  return {
    providers,
    password_auth: settings.ENABLE_PASSWORD_AUTH,
    login_form: settings.ENABLE_LOGIN_FORM,
    warnings: warnings(ctx),
    last_signed_in_at: last!.signed_in,
    last_failed_at: last!.failed,
  };
}

async function tryProvider(ctx: Context, provider: OidcProvider): Promise<SsoStatus["providers"][number]> {
  const entry = {
    id: provider.id,
    name: provider.name,
    discovery_url: provider.discovery,
    client_id: provider.clientId,
    callback_url: callbackAddress(ctx, provider),
    backchannel_logout_url: ctx.settings.ENABLE_OAUTH_BACKCHANNEL_LOGOUT
      ? `${ctx.origin}/oauth/backchannel-logout`
      : null,
  };
  try {
    const metadata = await discover(ctx, provider, true);
    await readKeys(ctx, metadata.jwks_uri!);
    const signsOut = Boolean(provider.endSession || metadata.end_session_endpoint);
    return { ...entry, reachable: true, problem: null, issuer: metadata.issuer, signs_out: signsOut };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return { ...entry, reachable: false, problem: error.message, issuer: null, signs_out: false };
  }
}

/** What is allowed, and yet hardly meant. */
function warnings({ settings, origin }: Context): string[] {
  const providers = listProviders(settings);
  if (providers.length === 0) return [];
  const found: string[] = [];
  const scim = settings.SCIM_ENABLED ? settings.SCIM_AUTH_PROVIDER : "";
  if (settings.WEBUI_URL === "")
    found.push(`WEBUI_URL is not set: the callback address depends on the address of the request, currently ${origin}`);
  if (settings.OAUTH_AUTO_REDIRECT && providers.length > 1)
    found.push("OAUTH_AUTO_REDIRECT has no effect with several providers");
  if (scim !== "" && !providers.some(({ id }) => id === scim))
    found.push(`SCIM_AUTH_PROVIDER is ${scim}, but no sign-in provider has this ID: provisioned people cannot sign in`);
  if (settings.OAUTH_MERGE_ACCOUNTS_BY_EMAIL && settings.ENABLE_SIGNUP && settings.ENABLE_PASSWORD_AUTH)
    found.push(
      "OAUTH_MERGE_ACCOUNTS_BY_EMAIL is on and people may sign up with any address: a person who takes over such an account gets all of its data",
    );
  return found;
}
