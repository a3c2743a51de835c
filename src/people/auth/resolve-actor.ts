import { sql, type SQL } from "drizzle-orm";
import {
  anonymous,
  countedMemories,
  type Actor,
  type Credential,
  type HeldCredential,
  type MemoryUse,
  type Role,
  type User,
} from "../../access.ts";
import type { Environment, Services, Settings } from "../../context.ts";
import { argument } from "../../db/look-up.ts";
import { AppError } from "../../errors.ts";
import type { Lookup, TokenSigner } from "../../ports.ts";
import { withEnvironment } from "../environment-permissions.ts";
import { defaultOrganizationId } from "../organizations/default-organization.ts";
import { allPermissions, effectivePermissions, type FeatureSwitches, type PartialPermissions } from "../permissions.ts";
import { hashApiKey } from "./api-keys/hash-api-key.ts";
import { requireKeysAllowed } from "./api-keys/may-use-keys.ts";
import { arePasskeysOn } from "./passkeys/relying-party.ts";
import { isRequiredFor } from "./second-factor/is-required.ts";

/** The credential of a request, in order of precedence: an explicit header wins over a cookie that may be stale. */
export interface PresentedCredential {
  token: string;
  transport: "bearer" | "header" | "cookie";
}

/** Current data by which a request is decided. */
export interface Resolved {
  actor: Actor;
  settings: Settings;
  defaultPermissions: PartialPermissions;
  catalogStamp: number;
  quotaStamp: number;
  /** When the session or key was last recorded as used, in epoch seconds; undefined without one. */
  lastUsedAt: number | undefined;
}

/** Where the current settings come from. */
type SettingsSource = Pick<Services, "environment" | "registry">;

interface ResolvedPerson extends Resolved {
  actor: User;
}

/**
 * One JSON document in one value: rows of many columns cost more on their way through the driver than the look-up itself.
 * Settings stay a text inside it, to be compared as such.
 */
const shared = `'catalog_stamp', (SELECT value FROM stamps WHERE name = 'catalog'),
  'quota_stamp', (SELECT value FROM stamps WHERE name = 'quotas'),
  'settings', (SELECT json_group_object(name, json(value)) || '' FROM settings)`;

const person = `'id', u.id, 'name', u.name, 'email', u.email, 'kind', u.kind, 'free_probes', u.free_probes, 'role', u.role, 'active', u.active,
  'organization_id', u.organization_id, 'organization_role', u.organization_role, 'organization_active', o.active, 'features', json(o.features),
  'groups', (SELECT json_group_array(json_object('id', g.id, 'permissions', json(g.permissions)))
     FROM group_members m JOIN groups g ON g.id = m.group_id
     WHERE m.user_id = u.id AND g.organization_id IN (u.organization_id, '${defaultOrganizationId}')) || '',
  'memories', (SELECT count(*) FROM (SELECT 1 FROM memories r WHERE r.user_id = u.id LIMIT ${countedMemories})),
  'memory_switches', json_extract(u.settings, '$.ui.memory', '$.ui.memoryTool')`;

const from = (
  credential: string,
  condition: string,
) => `FROM json_each(?1) asked CROSS JOIN ${credential} CROSS JOIN users u ON u.id = c.user_id
  CROSS JOIN organizations o ON o.id = u.organization_id WHERE ${condition}`;

/** An identity provider asks for a second factor itself, or does not. */
const factor = `'second_factor', CASE
    WHEN c.provider IS NOT NULL OR EXISTS (SELECT 1 FROM totp_secrets t WHERE t.user_id = u.id AND t.confirmed_at IS NOT NULL) THEN 'any'
    WHEN EXISTS (SELECT 1 FROM passkeys k WHERE k.user_id = u.id) THEN 'passkey' ELSE 'none' END,
  'factor_required', o.requires_second_factor`;

const bySession = `SELECT asked.key, json_object(${person}, 'credential_id', c.id, 'last_used_at', c.last_used_at, ${factor}, ${shared}) AS document
  ${from("sessions c", `c.id = ${argument(0)} AND c.user_id = ${argument(1)} AND u.kind = 'person' AND (c.expires_at IS NULL OR c.expires_at > ${argument(2)})`)}`;

const byApiKey = (
  condition: string,
) => `SELECT asked.key, json_object(${person}, 'credential_id', c.id, 'last_used_at', coalesce(c.last_used_at, 0),
  'allowed_endpoints', c.allowed_endpoints, ${shared})
  ${from("api_keys c", condition)}`;

const isCurrentKey = (now: string) => `(c.expires_at IS NULL OR c.expires_at > ${now})`;
const byApiKeyHash = byApiKey(`c.hash = ${argument(0)} AND ${isCurrentKey(argument(1))}`);
const byNothing = `SELECT asked.key, json_object(${shared}) FROM json_each(?1) asked`;

/** For work that goes on without a request (a run in a session coordinator): the person as they are now. */
const byCredentialId = {
  session: bySession,
  "api-key": byApiKey(`c.id = ${argument(0)} AND c.user_id = ${argument(1)} AND ${isCurrentKey(argument(2))}`),
};

/** What all of the statements above say. */
interface Found {
  catalog_stamp: number;
  quota_stamp: number;
  settings: string;
}

/** What those say that find a credential; without one they find nothing. */
interface FoundPerson extends Found {
  credential_id: string;
  last_used_at: number;
  /** Only of keys. */
  allowed_endpoints?: string | null;
  id: string;
  name: string;
  email: string;
  kind: User["accountKind"];
  free_probes: number;
  role: Role;
  active: 0 | 1;
  organization_id: string;
  organization_role: "admin" | "member";
  organization_active: 0 | 1;
  features: FeatureSwitches;
  groups: string;
  memories: number;
  /** Only of sessions: `any` also where the session needs none, `passkey` for one that counts while passkeys are on. */
  second_factor?: "any" | "passkey" | "none";
  /** Only of sessions: whether the person's organization requires one. */
  factor_required?: 0 | 1;
  /** As the person's settings have them; null where there are none. */
  memory_switches: [isOn: unknown, mayAdd: unknown] | null;
}

/**
 * The caller with current role, permissions and organization, and the current settings: one statement.
 * @throws AppError 401 for an invalid or expired credential; 403 while the organization is switched off, and for a key
 *   that may not be used now.
 */
export async function resolveActor(
  services: SettingsSource & { lookup: Lookup; tokens: TokenSigner; now(): number },
  presented: PresentedCredential | undefined,
): Promise<Resolved> {
  if (!presented) return strangers(services, (await find<Found>(services.lookup, byNothing, []))!);
  if (presented.token.startsWith("sk-")) {
    const row = await find<FoundPerson>(services.lookup, byApiKeyHash, [
      await hashApiKey(presented.token),
      services.now(),
    ]);
    return known(services, row, keyCredential, "Invalid API key");
  }
  const claims = await services.tokens.verify(presented.token);
  if (!claims) throw new AppError("session_ended", "The session has ended: sign in again");
  const row = await find<FoundPerson>(services.lookup, bySession, [claims.jti, claims.id, services.now()]);
  return known(
    services,
    row,
    (id) => ({ kind: "session", sessionId: id, transport: presented.transport }),
    "The session has ended: sign in again",
  );
}

/**
 * The same for a credential given by its id.
 * @throws as `resolveActor`.
 */
export async function resolveActorById(
  services: SettingsSource & { lookup: Lookup; now(): number },
  { userId, kind, id }: HeldCredential,
): Promise<Resolved> {
  const row = await find<FoundPerson>(services.lookup, byCredentialId[kind], [id, userId, services.now()]);
  const build = (found: string, from: FoundPerson): Credential =>
    kind === "session" ? { kind: "session", sessionId: found, transport: "bearer" } : keyCredential(found, from);
  return known(services, row, build, "The session has ended: sign in again");
}

function keyCredential(id: string, { allowed_endpoints: allowed }: FoundPerson): Credential {
  return { kind: "api-key", keyId: id, allowedEndpoints: allowed ?? null };
}

/**
 * The same lookup as a statement for the end of the batch that starts a session: it finds what the session's next
 * request would. `resolveFound` reads it.
 */
export function sessionLookup(services: { now(): number }, session: { id: string; userId: string }): SQL {
  const [before = "", after = ""] = bySession.split("?1");
  return sql`${sql.raw(before)}${JSON.stringify([[session.id, session.userId, services.now()]])}${sql.raw(after)}`;
}

/** @throws as `resolveActor`. */
export function resolveFound(services: SettingsSource, rows: { document: string }[]): ResolvedPerson {
  const row = rows[0] && (JSON.parse(rows[0].document) as FoundPerson);
  const build = (id: string): Credential => ({ kind: "session", sessionId: id, transport: "bearer" });
  return known(services, row, build, "The session has ended: sign in again");
}

async function find<T>(lookup: Lookup, sql: string, args: (string | number)[]): Promise<T | undefined> {
  const document = await lookup({ sql, args });
  return document === undefined ? undefined : (JSON.parse(document) as T);
}

function strangers(services: SettingsSource, row: Found): Resolved {
  const { settings, defaults } = readSettings(services, row);
  return {
    actor: anonymous,
    settings,
    defaultPermissions: defaults,
    catalogStamp: row.catalog_stamp,
    quotaStamp: row.quota_stamp,
    lastUsedAt: undefined,
  };
}

function known(
  services: SettingsSource,
  row: FoundPerson | undefined,
  credential: (id: string, row: FoundPerson) => Credential,
  gone: string,
): ResolvedPerson {
  if (!row) throw new AppError("session_ended", gone);
  if (!row.active) throw new AppError("account_inactive", "The account is switched off");
  if (!row.organization_active) throw new AppError("organization_inactive", "The organization is switched off");
  const { settings, defaults } = readSettings(services, row);
  const groups = JSON.parse(row.groups) as { id: string; permissions: PartialPermissions }[];
  const { role } = row;
  const actor: User = {
    kind: "user",
    id: row.id,
    name: row.name,
    email: row.email,
    accountKind: row.kind,
    freeProbes: row.free_probes,
    role,
    organizationId: row.organization_id,
    organizationRole: row.organization_role,
    groupIds: groups.map((group) => group.id),
    permissions:
      role === "admin"
        ? allPermissions
        : effectivePermissions(
            defaults,
            groups.map((group) => group.permissions),
            row.features,
          ),
    memory: readMemoryUse(row),
    credential: credential(row.credential_id, row),
  };
  if (row.factor_required === 1) actor.organizationNeedsFactor = true;
  if (!countsAsFactor(settings, row) && isRequiredFor(settings, actor)) actor.lacksSecondFactor = true;
  if (actor.credential.kind === "api-key") requireKeysAllowed(actor, settings);
  return {
    actor,
    settings,
    defaultPermissions: defaults,
    catalogStamp: row.catalog_stamp,
    quotaStamp: row.quota_stamp,
    lastUsedAt: row.last_used_at,
  };
}

/** Keys are exempt: they say nothing of it. */
function countsAsFactor(settings: Settings, { second_factor: factor }: FoundPerson): boolean {
  return factor === undefined || factor === "any" || (factor === "passkey" && arePasskeysOn(settings));
}

function readMemoryUse({ memories, memory_switches: switches }: FoundPerson): MemoryUse {
  const [isOn, mayAdd] = switches ?? [];
  return { count: memories, isOn: isOn !== false, mayAdd: mayAdd === true && isOn !== false };
}

/** The default permissions are stored beside the settings, under a name that no setting can have. */
export const defaultPermissionsRow = "permissions.default";

interface ReadSettings {
  settings: Settings;
  defaults: PartialPermissions;
}

/** The same stored text gives the same values: parsed once, compared as text on every request. */
let parsed: { text: string; environment: Environment; value: ReadSettings } | undefined;

function readSettings({ environment, registry }: SettingsSource, row: Found): ReadSettings {
  const text = row.settings;
  if (parsed?.text !== text || parsed.environment !== environment) {
    const stored = JSON.parse(text) as Record<string, unknown>;
    const value = {
      settings: registry.effectiveSettings(environment, stored),
      defaults: withEnvironment(environment, (stored[defaultPermissionsRow] ?? {}) as PartialPermissions),
    };
    parsed = { text, environment, value };
  }
  return parsed.value;
}
