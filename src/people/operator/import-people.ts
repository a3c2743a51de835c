import { type SQL, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { isUniqueViolation } from "../../db/database-error.ts";
import { AppError } from "../../errors.ts";
import { newId } from "../../lib/id.ts";
import { requireEmail } from "../email.ts";
import { groupMembers, groups } from "../groups/tables.ts";
import { defaultOrganizationId } from "../organizations/default-organization.ts";
import { landingHome } from "../organizations/landing.ts";
import { organizations } from "../organizations/tables.ts";
import { hasAdministrator } from "../users/has-administrator.ts";
import { newAccountRows } from "../users/new-account-rows.ts";
import { users } from "../users/tables.ts";
import { makeAdministrator } from "./change-account.ts";
import { newPassword } from "./new-password.ts";
import { requireOperator } from "./operator-gate.ts";
import type { FirstAdministrator, ImportedPerson, ImportResult } from "./schema.ts";

/**
 * Creates accounts, one batch each: what fails keeps no other from being created, and an address that has an account already is
 * left as it is. So the same list can be sent again.
 */
export async function importPeople(ctx: Context, people: readonly ImportedPerson[]): Promise<ImportResult[]> {
  requireOperator(ctx);
  const results: ImportResult[] = [];
  for (const person of people) {
    try {
      results.push(await importPerson(ctx, person));
    } catch (error) {
      if (!(error instanceof AppError) || error.code === "internal_error") throw error;
      results.push({ email: person.email, status: "failed", reason: error.message });
    }
  }
  if (results.some(({ status }) => status === "created")) ctx.registry.wakeNewUserDelivery(ctx);
  return results;
}

async function importPerson(ctx: Context, person: ImportedPerson): Promise<ImportResult> {
  const email = requireEmail(person.email);
  const home = await findHome(ctx, email, person);
  if (home.taken) return { email, status: "exists" };
  const { hash, made } = person.without_password ? {} : await newPassword(ctx, person.password);
  const id = newId();
  const rows = newAccountRows(ctx, {
    id,
    name: person.name,
    email,
    passwordHash: hash,
    picture: "",
    role: person.role,
    action: "user.created",
    home: home.id,
    condition: sql`1`,
  });
  const joined = ctx.db.insert(groupMembers).select(
    sql`SELECT g.id, ${id}, NULL, ${ctx.now()} FROM ${groups} g WHERE g.id IN (SELECT value FROM json_each(${JSON.stringify(home.groupIds)}))
      AND EXISTS (SELECT 1 FROM ${users} WHERE id = ${id})`,
  );
  const created = await isCreated(ctx, id, [...rows, joined]);
  if (created === "taken") return { email, status: "exists" };
  if (!created) throw new AppError("conflict", "The organization was switched off at the same time");
  return { email, status: "created", ...(made === undefined ? {} : { password: made }) };
}

/**
 * The administrator whom the environment names (`WEBUI_ADMIN_EMAIL`), as long as there is none. An account with that address
 * becomes an administrator's and keeps its password.
 * @throws AppError `invalid_email`, `invalid_password` (400)
 */
export async function createFirstAdministrator(ctx: Context, input: FirstAdministrator): Promise<{ created: boolean }> {
  requireOperator(ctx);
  const email = requireEmail(input.email);
  const [state] = await ctx.db.all<{ there: number }>(sql`SELECT ${hasAdministrator} AS there`);
  if (state!.there) return { created: false };
  const { hash } = await newPassword(ctx, input.password);
  const id = newId();
  const rows = newAccountRows(ctx, {
    id,
    name: input.name,
    email,
    passwordHash: hash,
    picture: "",
    role: "admin",
    action: "user.created",
    condition: sql`NOT ${hasAdministrator}`,
  });
  const created = await isCreated(ctx, id, rows);
  if (created !== "taken") return { created };
  // The identity provider, or a list, has created the account before.
  await makeAdministrator(ctx, email);
  return { created: false };
}

/** Runs the batch of a new account. */
async function isCreated(
  ctx: Context,
  id: string,
  rows: Parameters<Context["db"]["batch"]>[0] | ReturnType<typeof newAccountRows>,
): Promise<boolean | "taken"> {
  const made = ctx.db.all<{ made: number }>(sql`SELECT EXISTS (SELECT 1 FROM ${users} WHERE id = ${id}) AS made`);
  try {
    const [first, ...others] = rows;
    const results = (await ctx.db.batch([first!, ...others, made])) as unknown[];
    return Boolean((results.at(-1) as { made: number }[])[0]!.made);
  } catch (error) {
    if (isUniqueViolation(error, "users.email")) return "taken";
    throw error;
  }
}

interface Home {
  taken: boolean;
  id: string;
  groupIds: string[];
}

/** @throws AppError `bad_request` that names the organization or the group that there is not. */
async function findHome(ctx: Context, email: string, { organization, groups: names }: ImportedPerson): Promise<Home> {
  const home: SQL =
    organization === undefined
      ? landingHome({ email })
      : sql`(SELECT id FROM ${organizations} WHERE active = 1 AND (id = ${organization} OR name = ${organization}) LIMIT 1)`;
  const [found] = await ctx.db.all<{ taken: number; home: string | null; found: string }>(sql`
    WITH h AS (SELECT ${home} AS id)
    SELECT EXISTS (SELECT 1 FROM ${users} WHERE email = ${email}) AS taken, (SELECT id FROM h) AS home,
      (SELECT json_group_array(json_array(g.id, g.name)) FROM ${groups} g, h
        WHERE g.name IN (SELECT value FROM json_each(${JSON.stringify(names)}))
        AND (g.organization_id = h.id OR g.organization_id = ${defaultOrganizationId})) AS found`);
  const { taken, home: id, found: list } = found!;
  if (taken) return { taken: true, id: "", groupIds: [] };
  if (id === null) {
    const reason =
      organization === undefined
        ? "No landing rule assigns this address to an active organization"
        : `There is no active organization "${organization}"`;
    throw new AppError("organization_inactive", reason);
  }
  const groupsFound = JSON.parse(list) as [string, string][];
  const missing = names.find((name) => !groupsFound.some(([, there]) => there === name));
  if (missing !== undefined) throw new AppError("bad_request", `There is no group "${missing}" in this organization`);
  return { taken: false, id, groupIds: groupsFound.map(([groupId]) => groupId) };
}
