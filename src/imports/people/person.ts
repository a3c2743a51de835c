import { sql } from "drizzle-orm";
import * as z from "zod";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { insertConnections, withoutConnections } from "../../models/direct-connections/own-settings.ts";
import { timezoneChange, profileChange } from "../../people/auth/account/schema.ts";
import { isOwnHash } from "../../people/auth/passwords/hash-password.ts";
import { isOldHash } from "../../people/auth/passwords/old-hash.ts";
import { requireEmail } from "../../people/email.ts";
import { landingHome } from "../../people/organizations/landing.ts";
import { personName, time } from "../../people/schema.ts";
import { newAccountRows } from "../../people/users/new-account-rows.ts";
import { parseProfileImage } from "../../people/users/parse-profile-image.ts";
import { settingsDocument, document, maxFreeProbes, statusChange } from "../../people/users/schema.ts";
import { defineKind, type ImportRun, type Outcome } from "../kind.ts";
import { takenIn } from "../record-parts.ts";
import { leftField, leftNotes } from "../report-notes.ts";
import { sourceId } from "../schema.ts";

/** Largest documents that are kept of a person, in characters of JSON. */
const maxDocumentLength = 200_000;

const externalId = z.string().min(1).max(500);
const provider = z.string().min(1).max(100);

const shape = z.object({
  kind: z.literal("person"),
  id: sourceId,
  name: z.string().max(10_000),
  email: z.string().max(1000),
  role: z.enum(["admin", "user", "pending"]),
  /** `service`: nobody signs in to it. */
  account: z.enum(["person", "service"]).default("person"),
  /** Of a service account: probes that count in no quota, in an hour. */
  free_probes: z.number().int().min(0).max(maxFreeProbes).default(0),
  active: z.boolean().default(true),
  organization_id: sourceId.nullish(),
  organization_role: z.enum(["admin", "member"]).default("member"),
  /** A hash by bcrypt or argon2, or one of this product. */
  password: z.string().max(1000).nullish(),
  picture: z.string().max(10_000_000).nullish(),
  bio: z.unknown().optional(),
  gender: z.unknown().optional(),
  date_of_birth: z.unknown().optional(),
  timezone: z.unknown().optional(),
  status_emoji: z.unknown().optional(),
  status_message: z.unknown().optional(),
  /** Epoch seconds. */
  status_expires_at: z.unknown().optional(),
  settings: z.unknown().optional(),
  info: z.unknown().optional(),
  /** Providers of their own, as Open WebUI stores them in settings. */
  direct_connections: z.unknown().optional(),
  /** Who they are at providers they sign in with. */
  oauth: z.record(provider, z.object({ sub: externalId })).default({}),
  scim: z.record(provider, z.object({ external_id: externalId })).default({}),
  /** As SCIM sent them. */
  user_name: z.string().min(1).max(500).nullish(),
  name_parts: z.record(z.string().max(100), z.string().max(1000)).nullish(),
  emails: z
    .array(z.record(z.string().max(100), z.unknown()))
    .max(100)
    .nullish(),
  created_at: time.nullish(),
  updated_at: time.nullish(),
  last_active_at: time.nullish(),
  left: leftField,
});
type Person = z.infer<typeof shape>;

/** Somebody with an account: with their id, their identities and the hash of their password, which is replaced when they first sign in. */
export const personKind = defineKind<Person>({
  shape,
  references: ({ organization_id: home }) => (home ? [{ kind: "organization", id: home }] : []),
  taken: takenIn("users"),
  plan: planPerson,
});

async function planPerson(run: ImportRun, record: Person, id: string): Promise<Outcome> {
  const { ctx } = run;
  const email = requireEmail(record.email);
  const found = await findAccount(ctx, email, record);
  if (found.isService) return { leftOut: "A service account has this address here" };
  if (found.userId !== null) {
    return run.mergeByEmail
      ? { matched: found.userId, notes: [`There is an account with this address: what is theirs comes to it`] }
      : { leftOut: "There is an account with this address here" };
  }
  const home = (record.organization_id && run.find("organization", record.organization_id)) || found.home;
  if (home === null) return { leftOut: "No landing rule assigns this address to an active organization" };
  const notes: string[] = [];
  if (record.organization_id && run.find("organization", record.organization_id) === undefined)
    notes.push("Their organization wasn't imported: the rules for new accounts decide");
  const past = pastOf(record, notes);
  const { name, picture } = { name: nameOf(record, email, notes), picture: pictureOf(record, id, notes) };
  // Nobody signs in to a service account, in no way.
  const isService = record.account === "service";
  const identity = isService ? { oauth: {}, scim: {} } : { oauth: { ...record.oauth }, scim: { ...record.scim } };
  for (const { source, provider: of } of found.identities) {
    delete identity[source][of];
    notes.push(`The account at ${of} belongs to somebody else here`);
  }
  if (record.user_name && found.isUserNameTaken) notes.push("Their name at SCIM belongs to somebody else here");
  const hash = isService ? undefined : record.password || undefined;
  const isChecked = hash !== undefined && (isOldHash(hash) || isOwnHash(hash));
  if (hash !== undefined && !isChecked)
    notes.push("The password can't be checked here: an administrator has to set a new one");
  if (record.role === "admin") notes.push("Is an administrator here too");
  if (!record.active) notes.push("Is switched off here too");
  const connections = await connectionsOf(ctx, record, id, notes);
  return {
    statements: [
      ...newAccountRows(ctx, {
        id,
        name,
        email,
        passwordHash: isChecked ? hash : undefined,
        picture,
        role: record.role,
        action: "user.created",
        home,
        // People of an organization that is switched off come too.
        isHomeGiven: true,
        identity: {
          active: record.active,
          kind: record.account,
          freeProbes: isService ? record.free_probes : 0,
          organizationRole: record.organization_role,
          oauth: orNull(identity.oauth),
          scim: orNull(identity.scim),
          userName: found.isUserNameTaken ? null : (record.user_name ?? null),
          nameParts: record.name_parts ?? null,
          emails: record.emails ?? null,
        },
        past,
        condition: sql`1`,
      }),
      ...connections,
    ],
    notes: [...notes, ...leftNotes(record.left)],
  };
}

/** They are kept also where nobody may use them now, as those of people here are. */
async function connectionsOf(ctx: Context, record: Person, id: string, notes: string[]) {
  const { direct_connections: said } = record;
  if (said === undefined || said === null) return [];
  try {
    const statements = await insertConnections(ctx, id, said);
    if (!ctx.settings.ENABLE_DIRECT_CONNECTIONS)
      notes.push("Their own connections to providers work once direct connections are switched on here");
    return statements;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    notes.push(`Their own connections to providers weren't kept: ${error.message}`);
    return [];
  }
}

interface FoundAccount {
  userId: string | null;
  /** Nobody's account: no person comes to it. */
  isService: boolean;
  home: string | null;
  isUserNameTaken: boolean;
  /** Identities of the record that are somebody's here. */
  identities: { source: "oauth" | "scim"; provider: string }[];
}

async function findAccount(
  ctx: Context,
  email: string,
  { oauth, scim, user_name: userName }: Person,
): Promise<FoundAccount> {
  const identities = JSON.stringify([
    ...Object.entries(oauth).map(([name, { sub }]) => ["oauth", name, sub]),
    ...Object.entries(scim).map(([name, each]) => ["scim", name, each.external_id]),
  ]);
  const [row] = await ctx.db.all<{
    user: string | null;
    is_service: 0 | 1;
    home: string | null;
    name: number;
    identities: string;
  }>(sql`
    SELECT (SELECT id FROM users WHERE email = ${email}) AS user, ${landingHome({ email })} AS home,
      EXISTS (SELECT 1 FROM users WHERE email = ${email} AND kind = 'service') AS is_service,
      EXISTS (SELECT 1 FROM users WHERE lower(user_name) = lower(${userName ?? null})) AS name,
      (SELECT json_group_array(json_object('source', i.source, 'provider', i.provider)) FROM json_each(${identities}) w
        JOIN identities i ON i.source = w.value ->> 0 AND i.provider = w.value ->> 1 AND i.external_id = w.value ->> 2) AS identities`);
  return {
    userId: row!.user,
    isService: row!.is_service === 1,
    home: row!.home,
    isUserNameTaken: row!.name === 1,
    identities: JSON.parse(row!.identities) as FoundAccount["identities"],
  };
}

/** What they have told of themselves, as far as it can be kept. */
function pastOf(record: Person, notes: string[]) {
  const kept = <T>(schema: z.ZodType<T>, value: unknown, what: string): T | undefined => {
    if (value === undefined || value === null || value === "") return undefined;
    const parsed = schema.safeParse(value);
    if (parsed.success && JSON.stringify(parsed.data).length <= maxDocumentLength) return parsed.data;
    notes.push(`The ${what} wasn't kept`);
    return undefined;
  };
  const { bio, gender, date_of_birth: day } = profileChange.shape;
  const { status_emoji: emoji, status_message: message, status_expires_at: expiresAt } = statusChange.shape;
  const createdAt = record.created_at ?? undefined;
  const past = {
    bio: kept(bio, record.bio, "bio"),
    gender: kept(gender, record.gender, "gender"),
    dateOfBirth: kept(day, record.date_of_birth, "date of birth"),
    timezone: kept(timezoneChange.shape.timezone, record.timezone, "time zone"),
    statusEmoji: kept(emoji, record.status_emoji, "emoji of the status"),
    statusMessage: kept(message, record.status_message, "status"),
    statusExpiresAt: kept(expiresAt, record.status_expires_at, "end of the status"),
    settings: withoutConnections(kept(settingsDocument, record.settings, "settings")),
    info: kept(document, record.info, "information kept by programs"),
    createdAt,
    updatedAt: record.updated_at ?? createdAt,
    lastActiveAt: record.last_active_at ?? createdAt,
  };
  return Object.fromEntries(Object.entries(past).filter(([, value]) => value !== undefined));
}

function nameOf(record: Person, email: string, notes: string[]): string {
  const name = record.name
    .replaceAll(/[\p{Cc}\p{Cs}]+/gu, " ")
    .trim()
    .slice(0, 200);
  const parsed = personName.safeParse(name);
  const kept = parsed.success ? parsed.data : email.slice(0, 200);
  if (kept !== record.name.trim()) notes.push("The name was changed");
  return kept;
}

function pictureOf(record: Person, id: string, notes: string[]): string {
  const given = record.picture ?? "";
  // The address of a picture that the source makes itself.
  if (given.startsWith("/")) return "";
  try {
    return parseProfileImage(given, id) ?? "";
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    notes.push("The picture wasn't kept: it isn't a PNG, JPEG, WebP or GIF of at most 300 KB");
    return "";
  }
}

const orNull = <T extends object>(record: T) => (Object.keys(record).length > 0 ? record : null);
