import { AppError } from "./errors.ts";
import type { Permission, Permissions } from "./people/permissions.ts";

export type Role = "admin" | "user" | "pending";

/** How the caller is authenticated. */
export type Credential =
  | { kind: "session"; sessionId: string; transport: "bearer" | "header" | "cookie" }
  | {
      kind: "api-key";
      keyId: string;
      /** Of a service account's key: what it can call; null for everything. */
      allowedEndpoints: string | null;
    };

/** A credential as stored with what it opened: its person and its id. */
export interface HeldCredential {
  userId: string;
  kind: "session" | "api-key";
  id: string;
}

/** The current caller: read from the database in this request, never kept beyond it. */
export interface User {
  kind: "user";
  id: string;
  name: string;
  email: string;
  /** `service`: a machine's account, which nobody can sign in to. */
  accountKind: "person" | "service";
  /** Probes of a service account that count in no quota, in an hour. */
  freeProbes: number;
  role: Role;
  organizationId: string;
  organizationRole: "admin" | "member";
  groupIds: string[];
  permissions: Permissions;
  memory: MemoryUse;
  /** Their organization requires a second factor of its people. Only known of sessions. */
  organizationNeedsFactor?: true;
  /** They signed in with a password, need a second factor and have none: nothing but setting one up is open. */
  lacksSecondFactor?: true;
  credential: Credential;
}

/** What a turn has to know of the person's memories before it looks at any. */
export interface MemoryUse {
  /** How many there are, counted up to `countedMemories`. */
  count: number;
  /** Models get them: unless the person has switched that off. */
  isOn: boolean;
  /** Models may add some: only where the person has allowed it. */
  mayAdd: boolean;
}

/** Memories are counted up to here. */
export const countedMemories = 9;

export interface Anonymous {
  kind: "anonymous";
}

/** The identity provider, authenticated by a SCIM token: it manages people and groups and has no other permissions. */
export interface Provisioner {
  kind: "scim";
  /** The variable that holds the token which was presented. */
  token: "SCIM_TOKEN" | "SCIM_TOKEN_PREVIOUS";
}

/** Who runs the service and holds its key ring: the commands of `npm run admin`. */
export interface Operator {
  kind: "operator";
}

export type Actor = User | Anonymous | Provisioner | Operator;

export const anonymous: Anonymous = { kind: "anonymous" };

export function heldCredential({ id: userId, credential }: User): HeldCredential {
  return credential.kind === "session"
    ? { userId, kind: "session", id: credential.sessionId }
    : { userId, kind: "api-key", id: credential.keyId };
}

/**
 * The signed-in person, with any role.
 * @throws AppError `not_signed_in`.
 */
export function requireSession(ctx: { actor: Actor }): User {
  if (ctx.actor.kind !== "user") throw new AppError("not_signed_in", "Sign in first");
  return ctx.actor;
}

/**
 * A person with an approved account, and with a second factor where one is required.
 * @throws AppError `account_pending`, `second_factor_missing`.
 */
export function requireUser(ctx: { actor: Actor }): User {
  const user = requireSession(ctx);
  if (user.role === "pending")
    throw new AppError("account_pending", "An administrator has to activate this account first");
  if (user.lacksSecondFactor)
    throw new AppError("second_factor_missing", "Set up a second factor first: Parley requires one for this account");
  return user;
}

/** A system administrator. @throws AppError `forbidden`. */
export function requireAdmin(ctx: { actor: Actor }): User {
  const user = requireUser(ctx);
  if (user.role !== "admin") throw new AppError("forbidden", "Only an administrator can do this");
  return user;
}

/** Whether the person manages this organization: system administrators all, an organization's administrators theirs. */
export function managesOrganization(user: User, organizationId: string): boolean {
  if (user.role === "admin") return true;
  return user.role === "user" && user.organizationRole === "admin" && user.organizationId === organizationId;
}

/** The same person with the rights of a member: for code that somebody else wrote. */
export function asMember(user: User): User {
  return { ...user, role: "user", organizationRole: "member" };
}

/** A person who manages at least their own organization. @throws AppError `forbidden`. */
export function requireManager(ctx: { actor: Actor }): User {
  const user = requireUser(ctx);
  if (!managesOrganization(user, user.organizationId))
    throw new AppError("forbidden", "Only an administrator can do this");
  return user;
}

/**
 * Administrators pass every check.
 * @throws AppError `forbidden` with the name of the permission.
 */
export function requirePermission(ctx: { actor: Actor }, permission: Permission): User {
  const user = requireUser(ctx);
  if (!hasPermission(user, permission))
    throw new AppError("forbidden", `You need the permission ${permission}. Ask an administrator for it`);
  return user;
}

export function hasPermission(user: Pick<User, "role" | "permissions">, permission: Permission): boolean {
  if (user.role === "admin") return true;
  const [branch, leaf] = permission.split(".") as [string, string];
  return (user.permissions as Record<string, Record<string, boolean>>)[branch]?.[leaf] === true;
}
