import { sql, type SQL } from "drizzle-orm";
import type { Context, Settings } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { describeSize } from "../../lib/describe-size.ts";
import { serviceTotals } from "./tables.ts";

/** Bytes of a megabyte, as sizes are shown. */
const megabyte = 1_000_000;

/** Bytes; undefined for no limit. */
export function maxPersonBytes({ MAX_PERSON_STORAGE: max }: Settings): number | undefined {
  return max === 0 ? undefined : max * megabyte;
}

/** Bytes; undefined for no limit. */
export function maxServiceBytes({ MAX_SERVICE_STORAGE: max }: Settings): number | undefined {
  return max === 0 ? undefined : max * megabyte;
}

/** SQL: bytes that the organization of the row `organizations` may have, NULL for no limit. */
export function maxOrganizationBytes({ MAX_ORGANIZATION_STORAGE: max }: Settings): SQL<number | null> {
  return sql`nullif(coalesce(organizations.max_storage, ${max}), 0) * ${megabyte}`;
}

/**
 * SQL: whether the person may have one more file of so many more bytes: by the limits of the person, of the organization
 * and of the service. A few look-ups by key.
 * @param more bytes that are not set aside yet
 */
export function hasStorageRoom({ settings }: Pick<Context, "settings">, userId: string, more: number | SQL): SQL {
  const { MAX_FILES: maxFiles } = settings;
  const maxPerson = maxPersonBytes(settings);
  const maxService = maxServiceBytes(settings);
  const fits = (totals: SQL, max: number | SQL) => sql`${totals}.bytes + ${totals}.held_bytes + ${more} <= ${max}`;
  return sql`EXISTS (SELECT 1 FROM person_totals p JOIN organizations ON organizations.id = p.organization_id
    JOIN storage_totals o ON o.scope = p.organization_id
    WHERE p.user_id = ${userId}
      ${maxFiles === 0 ? sql`` : sql`AND p.files < ${maxFiles}`}
      ${maxPerson === undefined ? sql`` : sql`AND ${fits(sql`p`, maxPerson)}`}
      AND coalesce(${fits(sql`o`, maxOrganizationBytes(settings))}, 1)
      ${maxService === undefined ? sql`` : sql`AND EXISTS (SELECT 1 FROM storage_totals s WHERE s.scope = ${serviceTotals} AND ${fits(sql`s`, maxService)})`})`;
}

/**
 * Refuses what could never be stored, whatever is deleted before.
 * @throws AppError `storage_full`
 */
export function requirePossibleSize({ settings }: Pick<Context, "settings">, bytes: number): void {
  const max = maxPersonBytes(settings);
  if (max !== undefined && bytes > max) throw neverFits(bytes, max);
}

interface State {
  bytes: number;
  files: number;
  own: number;
  organization: number;
  maxOrganization: number | null;
  service: number;
}

/**
 * Why there is no room, in an error for the person: what is used, what is allowed, what is needed, and what helps.
 * Undefined if there is room at this moment.
 * @param needed bytes of the whole file, as far as they are known
 * @param uploadId the upload that asks: what is set aside for it does not count as used
 */
export async function explainFull(
  ctx: Pick<Context, "db" | "settings">,
  userId: string,
  { needed, uploadId = "" }: { needed: number; uploadId?: string },
): Promise<AppError | undefined> {
  const { settings } = ctx;
  const [state] = await ctx.db.all<State>(sql`
    SELECT p.bytes + p.held_bytes AS bytes, p.files AS files, o.bytes + o.held_bytes AS organization,
      coalesce((SELECT held_bytes FROM uploads WHERE id = ${uploadId} AND user_id = ${userId}), 0) AS own,
      ${maxOrganizationBytes(settings)} AS maxOrganization,
      (SELECT bytes + held_bytes FROM storage_totals WHERE scope = ${serviceTotals}) AS service
    FROM person_totals p JOIN organizations ON organizations.id = p.organization_id
    JOIN storage_totals o ON o.scope = p.organization_id WHERE p.user_id = ${userId}`);
  if (!state) return undefined;
  const { MAX_FILES: maxFiles } = settings;
  if (maxFiles > 0 && state.files >= maxFiles)
    return new AppError(
      "limit_reached",
      `You have ${state.files} files, and you may have ${maxFiles}. Delete files that you no longer need (Settings, Storage), or ask an administrator for more`,
    );
  const said = (used: number, max: number) =>
    `${describeSize(used - state.own)} of ${describeSize(max)} are used, and this needs ${describeSize(needed)}`;
  const isFull = (used: number, max: number) => used - state.own + needed > max;
  const max = maxPersonBytes(settings);
  if (max !== undefined && isFull(state.bytes, max)) {
    if (needed > max) return neverFits(needed, max);
    return new AppError(
      "storage_full",
      `Your storage is full: ${said(state.bytes, max)}. Delete files that you no longer need (Settings, Storage), or ask an administrator for more`,
    );
  }
  if (state.maxOrganization !== null && isFull(state.organization, state.maxOrganization))
    return new AppError(
      "organization_storage_full",
      `The storage of your organization is full: ${said(state.organization, state.maxOrganization)}. Delete files, or ask an administrator for more`,
    );
  const maxService = maxServiceBytes(settings);
  if (maxService !== undefined && isFull(state.service, maxService))
    return new AppError(
      "service_storage_full",
      `The storage of this service is full: ${said(state.service, maxService)}. Tell an administrator`,
    );
  return undefined;
}

function neverFits(needed: number, max: number): AppError {
  return new AppError(
    "storage_full",
    `This needs ${describeSize(needed)}, and you may store ${describeSize(max)} in all. Ask an administrator for more`,
  );
}
