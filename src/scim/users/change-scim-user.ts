import { and, eq, sql, type SQL } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { isRecord } from "../../lib/json.ts";
import { organizationOf } from "../../people/users/organization-of.ts";
import { users } from "../../people/users/tables.ts";
import { auditedWrite, requireWritten } from "../audited-write.ts";
import { nextUpdate } from "../next-update.ts";
import { applyUserPatch, readUserDocument } from "../patch/apply-user-patch.ts";
import { parsePatch, type PatchOperation } from "../patch/parse-patch.ts";
import { parseProjection, project, type Projection } from "../projection.ts";
import { findProvider, requireProvider } from "../provider.ts";
import { requireProvisioner } from "../require-provisioner.ts";
import {
  selectUser,
  sentExternalId,
  shownEmails,
  toDocument,
  toScimUser,
  type UserRow,
  userSnapshot,
} from "./user-rows.ts";
import { type UserValues, valuesOf } from "./user-values.ts";
import {
  closeWhatWasOpen,
  endedSessions,
  lastAdminReason,
  type Reason,
  takenReason,
  unknownReason,
  unknownUser,
  updateAction,
  userErrors,
  userUpdate,
} from "./write-user.ts";

type Resource = Record<string, unknown>;

/**
 * Replaces a person's data of the identity provider: missing fields are cleared, except `active`, which clients send to
 * switch an account off.
 * @throws ScimError `invalidValue`, `uniqueness`; AppError `not_found`, `conflict` for the last active administrator.
 */
export async function replaceUser(
  ctx: Context,
  userId: string,
  body: unknown,
  projection: Projection,
): Promise<Resource> {
  requireProvisioner(ctx);
  const { active, ...document } = readUserDocument(body);
  const written = await writeUser(ctx, userId, "PUT", { values: valuesOf(document), active }, projection);
  return written ?? lost();
}

/**
 * How often a PATCH starts again because somebody else wrote between its look and its write, and the longest first and longest pause
 * before it does, in milliseconds: of many at the same moment one gets through at a time, unless they go apart.
 */
const maxTries = 16;
const firstPauseMs = 10;
const maxPauseMs = 400;

/**
 * Applies all operations or none: read, computed, and written only if the person has not changed since.
 * @throws ScimError for an invalid operation; AppError as `replaceUser`.
 */
export async function patchUser(
  ctx: Context,
  userId: string,
  body: unknown,
  projection: Projection,
): Promise<Resource> {
  requireProvisioner(ctx);
  const operations = parsePatch(body);
  if (operations.some(namesExternalId)) requireProvider(ctx);
  for (let attempt = 0; attempt < maxTries; attempt++) {
    const [row] = await selectUser(ctx, userId, parseProjection(undefined, "groups"));
    if (!row) throw unknownUser();
    const written = await writeUser(ctx, userId, "PATCH", patched(row, operations), projection, unchanged(ctx, row));
    if (written) return written;
    const pause = Math.min(firstPauseMs * 2 ** attempt, maxPauseMs);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * pause));
  }
  return lost();
}

function namesExternalId({ path }: PatchOperation): boolean {
  return path?.attribute.name === "externalid";
}

function patched(row: UserRow, operations: PatchOperation[]): { values: UserValues; active: boolean } {
  const sent = toDocument(row);
  // Anyone who changes e-mails starts from those that are shown, which follow from the account where none were sent.
  const shown = operations.some(namesEmails) ? { ...sent, emails: shownEmails(row) } : sent;
  const { active, ...after } = applyUserPatch(shown, operations);
  // The account's address follows userName and emails where they change, and otherwise stays what it is by now.
  const emailsStay = JSON.stringify(after.emails) === JSON.stringify(shown.emails);
  const addressStays = emailsStay && after.userName === sent.userName;
  const { emails: _, ...rest } = after;
  const document = emailsStay ? { ...rest, ...(sent.emails && { emails: sent.emails }) } : after;
  return { values: valuesOf(document, addressStays ? row.email : undefined), active };
}

function namesEmails({ path, value }: PatchOperation): boolean {
  if (path) return path.attribute.name === "emails";
  if (!isRecord(value)) return false;
  // Also within an object that stands under the URN of the schema, which has one of several spellings.
  const keys = Object.entries(value).flatMap(([key, inner]) => [key, ...(isRecord(inner) ? Object.keys(inner) : [])]);
  return keys.some((key) => /^(urn:[^[]*:)?emails\b/i.test(key));
}

/** Holds while the person is as the row says. */
function unchanged(ctx: Context, row: UserRow): SQL {
  return sql`EXISTS (SELECT 1 FROM users WHERE users.id = ${row.id} AND users.email = ${row.email} AND users.name = ${row.name}
    AND users.active = ${row.active ? 1 : 0} AND users.user_name IS ${row.userName} AND users.name_parts IS ${row.nameParts}
    AND users.emails IS ${row.emails} AND ${sentExternalId(findProvider(ctx))} IS ${row.externalId})`;
}

/** Undefined where the condition did not hold. */
async function writeUser(
  ctx: Context,
  userId: string,
  operation: "PUT" | "PATCH",
  { values, active }: { values: UserValues; active: boolean | undefined },
  projection: Projection,
  condition?: SQL,
): Promise<Resource | undefined> {
  const provider = values.externalId === null ? findProvider(ctx) : requireProvider(ctx);
  const errors = userErrors();
  const off = active === false;
  const write = auditedWrite<Reason>(ctx, {
    action: updateAction(userId, active),
    operation,
    targetType: "user",
    targetId: userId,
    organizationId: organizationOf(userId),
    reason: sql`CASE ${unknownReason(userId)} ${takenReason(userId, values, provider)} ${off ? lastAdminReason(userId) : sql``} END`,
    errors,
    snapshot: userSnapshot(userId, provider),
    ...(condition && { condition }),
  });
  const [, , , , outcome, now] = await ctx.db.batch([
    write.decide,
    endedSessions(ctx, userId, off ? write.allowed : sql`0`),
    userUpdate(ctx, userId, values, active, provider, write.allowed),
    write.complete,
    write.outcome,
    selectUser(ctx, userId, projection),
  ]);
  if (outcome.length === 0) return undefined;
  requireWritten(outcome, errors);
  if (off) await closeWhatWasOpen(ctx, userId, outcome);
  return project(toScimUser(ctx, now[0]!), projection);
}

/**
 * Switches the account off and keeps its data. Can be repeated.
 * @throws AppError `not_found`; `conflict` for the last active administrator.
 */
export async function deactivateUser(ctx: Context, userId: string): Promise<void> {
  requireProvisioner(ctx);
  const errors = userErrors();
  const write = auditedWrite<Reason>(ctx, {
    action: "scim.user.deactivated",
    operation: "DELETE",
    targetType: "user",
    targetId: userId,
    organizationId: organizationOf(userId),
    reason: sql`CASE ${unknownReason(userId)} ${lastAdminReason(userId)} END`,
    errors,
    snapshot: userSnapshot(userId, findProvider(ctx)),
  });
  const [, , , , outcome] = await ctx.db.batch([
    write.decide,
    endedSessions(ctx, userId, write.allowed),
    ctx.db
      .update(users)
      .set({ active: false, updatedAt: nextUpdate(ctx.now(), sql`updated_at`) })
      .where(and(eq(users.id, userId), eq(users.active, true), write.allowed)),
    write.complete,
    write.outcome,
  ]);
  requireWritten(outcome, errors);
  await closeWhatWasOpen(ctx, userId, outcome);
}

function lost(): never {
  throw new AppError("conflict", "The user kept changing at the same time: try again");
}
