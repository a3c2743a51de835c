import { sql } from "drizzle-orm";
import packageFile from "../../package.json" with { type: "json" };
import type { Context } from "../context.ts";
import { listProviders } from "../people/auth/oidc/providers.ts";
import { effectivePermissions } from "../people/permissions.ts";
import { hasAdministrator } from "../people/users/has-administrator.ts";
import { listBanners } from "./banners/banners.ts";
import type { PublicConfig } from "./schema.ts";

/** The version of this build. */
export const version = packageFile.version;

/** Switches that clients of Open WebUI ask for and that have nothing behind them here. */
const absent = [
  "enable_version_update_check",
  "enable_calendar",
  "enable_automations",
  "enable_notes",
  "enable_context_compaction",
  "enable_web_search",
  "enable_code_execution",
  "enable_code_interpreter",
  "enable_image_generation",
  "enable_autocomplete_generation",
  "enable_community_sharing",
  "enable_message_rating",
  "enable_user_status",
  "enable_admin_export",
  "enable_admin_chat_access",
  "enable_admin_analytics",
  "enable_google_drive_integration",
  "enable_onedrive_integration",
];

/**
 * What a client needs before and after sign-in, for any caller. One statement at most: whether any account exists, for
 * strangers; the notices, for people who are signed in.
 */
export async function getPublicConfig(ctx: Context): Promise<PublicConfig> {
  const { actor, settings } = ctx;
  const providers = listProviders(settings);
  const config: PublicConfig = {
    status: true,
    name: settings.WEBUI_NAME,
    version,
    default_locale: "",
    oauth: {
      providers: Object.fromEntries(providers.map(({ id, name }) => [id, name])),
      // With several, nobody could say which.
      auto_redirect: settings.OAUTH_AUTO_REDIRECT && providers.length === 1,
    },
    features: {
      auth: true,
      auth_trusted_header: false,
      enable_signup_password_confirmation: false,
      enable_ldap: false,
      enable_signup: settings.ENABLE_SIGNUP && settings.ENABLE_PASSWORD_AUTH,
      enable_login_form: settings.ENABLE_LOGIN_FORM && settings.ENABLE_PASSWORD_AUTH,
      enable_password_auth: settings.ENABLE_PASSWORD_AUTH,
      enable_password_reset: settings.ENABLE_PASSWORD_AUTH && ctx.registry.isMailOn(ctx),
      enable_websocket: true,
    },
  };
  if (actor.kind !== "user") {
    const [found] = await ctx.db.all<{ has_administrator: number }>(
      sql`SELECT ${hasAdministrator} AS has_administrator`,
    );
    return found!.has_administrator ? config : { onboarding: true, ...config };
  }
  const ui = {
    pending_user_overlay_title: settings.PENDING_USER_OVERLAY_TITLE,
    pending_user_overlay_content: settings.PENDING_USER_OVERLAY_CONTENT,
  };
  const features = {
    ...config.features,
    enable_password_change_form: settings.ENABLE_PASSWORD_AUTH,
    ...Object.fromEntries(absent.map((name) => [name, false])),
    enable_mail: ctx.registry.isMailOn(ctx),
    enable_api_keys: settings.ENABLE_API_KEYS,
    enable_plugins: settings.ENABLE_PLUGINS,
    enable_public_active_users_count: settings.ENABLE_PUBLIC_ACTIVE_USERS_COUNT,
    enable_direct_connections: settings.ENABLE_DIRECT_CONNECTIONS,
    enable_channels: settings.ENABLE_CHANNELS,
    enable_memories: settings.ENABLE_MEMORIES,
    enable_folders: true,
    enable_user_webhooks: settings.ENABLE_USER_WEBHOOKS,
  };
  if (actor.role === "pending") return { ...config, features, ui };
  return {
    ...config,
    features,
    ui,
    banners: await listBanners(ctx),
    outside_pictures: settings.OUTSIDE_PICTURES,
    default_models: settings.DEFAULT_MODELS,
    default_pinned_models: "",
    default_prompt_suggestions: [],
    file: {
      max_size: settings.RAG_FILE_MAX_SIZE,
      max_count: settings.RAG_FILE_MAX_COUNT,
      extensions: settings.RAG_ALLOWED_FILE_EXTENSIONS.map((ending) => ending.replace(/^\./, "").toLowerCase()),
    },
    permissions: effectivePermissions(ctx.defaultPermissions, []),
  };
}
