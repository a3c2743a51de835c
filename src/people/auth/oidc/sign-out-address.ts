import { buildEndSessionUrl } from "openid-client";
import type { Context } from "../../../context.ts";
import { configure } from "./configure.ts";
import { discover } from "./discover-provider.ts";
import { findProvider } from "./providers.ts";

/** A session that has just ended, as its row was. */
export interface EndedSession {
  provider: string | null;
  sealedIdToken: string | null;
}

/**
 * Where the browser goes on after signing out: to the provider that had signed the person in, so that they are signed out
 * there too (OpenID Connect RP-Initiated Logout 1.0); otherwise to the configured page; undefined for neither. That the
 * provider cannot be asked keeps nobody from signing out here.
 */
export async function signOutAddress(ctx: Context, ended: readonly EndedSession[]): Promise<string | undefined> {
  const after = ctx.settings.WEBUI_AUTH_SIGNOUT_REDIRECT_URL;
  const session = ended.find(({ provider }) => provider !== null);
  const provider = session && findProvider(ctx.settings, session.provider!);
  if (!provider) return after || undefined;
  try {
    const metadata = await discover(ctx, provider);
    const endpoint = provider.endSession || metadata.end_session_endpoint;
    if (!endpoint) return after || undefined;
    const config = configure(ctx, provider, { ...metadata, end_session_endpoint: endpoint });
    const hint = session.sealedIdToken === null ? undefined : await ctx.vault.open(session.sealedIdToken);
    // An address that the provider does not know makes it refuse, so only one that was configured is sent.
    return buildEndSessionUrl(config, {
      ...(hint ? { id_token_hint: hint } : {}),
      ...(after ? { post_logout_redirect_uri: after } : {}),
    }).href;
  } catch (error) {
    const reason = error instanceof Error ? error.message : "unknown";
    ctx.log.warn("could not continue signing out at the provider", { provider: provider.id, reason });
    return after || undefined;
  }
}
