import { eq, sql } from "drizzle-orm";
import packageFile from "../../package.json" with { type: "json" };
import { requireUser } from "../access.ts";
import { voiceConfig } from "../audio/may-use-voice.ts";
import type { Context } from "../context.ts";
import { areImagesOn } from "../images/may-make-images.ts";
import { loadSnapshot } from "../models/catalog/catalog-snapshot.ts";
import { mayUse } from "../models/catalog/visibility.ts";
import { listProviders } from "../people/auth/oidc/providers.ts";
import { arePasskeysOn } from "../people/auth/passkeys/relying-party.ts";
import { organizations } from "../people/organizations/tables.ts";
import { effectivePermissions } from "../people/permissions.ts";
import { hasAdministrator } from "../people/users/has-administrator.ts";
import { isSearchOn } from "../web/may-search-web.ts";
import { selectBanners } from "./banners/banners.ts";
import type { PublicConfig } from "./schema.ts";

/** The version of this build. */
export const version = packageFile.version;

/** Switches that clients of Open WebUI ask for and that have nothing behind them here. */
const absent = [
  "enable_version_update_check",
  "enable_calendar",
  "enable_automations",
  "enable_notes",
  "enable_autocomplete_generation",
  "enable_community_sharing",
  "enable_admin_export",
  "enable_admin_chat_access",
  "enable_admin_analytics",
  "enable_google_drive_integration",
  "enable_onedrive_integration",
];

/**
 * What a client needs before and after sign-in, for any caller. One statement at most: whether any account exists, for
 * strangers; the notices and the organization's default models, for people who are signed in. Where default or pinned
 * models are set, the catalog too, unless it is in memory.
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
      enable_passkeys: arePasskeysOn(settings),
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
    enable_context_compaction: settings.ENABLE_CONTEXT_COMPACTION,
    enable_user_status: settings.ENABLE_USER_STATUS,
    enable_memories: settings.ENABLE_MEMORIES,
    enable_previews: settings.ENABLE_PREVIEWS,
    enable_code_execution: settings.ENABLE_CODE_EXECUTION,
    enable_code_interpreter: settings.ENABLE_CODE_INTERPRETER,
    enable_folders: true,
    enable_message_rating: settings.ENABLE_MESSAGE_RATING,
    enable_web_search: isSearchOn(ctx),
    enable_image_generation: areImagesOn(ctx),
    enable_user_webhooks: settings.ENABLE_USER_WEBHOOKS,
  };
  if (actor.role === "pending") return { ...config, features, ui };
  const [found, [organization]] = await ctx.db.batch([
    selectBanners(ctx),
    ctx.db
      .select({ defaultModels: organizations.defaultModels })
      .from(organizations)
      .where(eq(organizations.id, actor.organizationId)),
  ]);
  const seen = await visibleIds(
    ctx,
    organization?.defaultModels ?? idsIn(settings.DEFAULT_MODELS),
    idsIn(settings.DEFAULT_PINNED_MODELS),
  );
  return {
    ...config,
    features,
    ui,
    banners: found,
    outside_pictures: settings.OUTSIDE_PICTURES,
    audio: voiceConfig(ctx),
    default_models: seen[0],
    default_pinned_models: seen[1],
    default_prompt_suggestions: settings.DEFAULT_PROMPT_SUGGESTIONS.map((content) => ({
      title: [content, ""],
      content,
    })),
    file: {
      max_size: settings.RAG_FILE_MAX_SIZE,
      max_count: settings.RAG_FILE_MAX_COUNT,
      extensions: settings.RAG_ALLOWED_FILE_EXTENSIONS.map((ending) => ending.replace(/^\./, "").toLowerCase()),
    },
    permissions: effectivePermissions(ctx.defaultPermissions, []),
  };
}

/** The ids of a setting, which are separated by commas. */
function idsIn(setting: string): string[] {
  return setting
    .split(",")
    .map((id) => id.trim())
    .filter(Boolean);
}

/** Each list without the models that the caller may not use, as the setting has it: nobody learns their ids. */
async function visibleIds(ctx: Context, ...lists: readonly string[][]): Promise<string[]> {
  if (lists.every((ids) => ids.length === 0)) return lists.map(() => "");
  const rules = { snapshot: await loadSnapshot(ctx), settings: ctx.settings, viewer: requireUser(ctx) };
  return lists.map((ids) => ids.filter((id) => mayUse(rules, id)).join(","));
}
