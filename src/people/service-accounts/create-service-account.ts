import { eq, sql } from "drizzle-orm";
import { requireManager } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { newId } from "../../lib/id.ts";
import { noOrganization } from "../auth/sign-in/sign-up.ts";
import { organizations } from "../organizations/tables.ts";
import { stillManages } from "../still-manages.ts";
import { newAccountRows } from "../users/new-account-rows.ts";
import type { ListedUser } from "../users/schema.ts";
import { users } from "../users/tables.ts";
import { factorColumn, groupIdsOf, storageColumns, toListedUser, userColumns } from "../users/user-columns.ts";
import type { NewServiceAccount } from "./schema.ts";

/**
 * Creates the account of a machine: without a password, and with an address at which nobody is (RFC 2606, section 2), so that no
 * identity provider can name it. Nobody can sign in to it; it acts only by the keys that administrators make for it.
 * @throws AppError `forbidden` for what an organization's administrator may not give; `validation_failed` for an organization
 *   that does not exist for the caller; `organization_inactive`
 */
export async function createServiceAccount(ctx: Context, input: NewServiceAccount): Promise<ListedUser> {
  const actor = requireManager(ctx);
  const isAdmin = actor.role === "admin";
  if (!isAdmin && input.role === "admin")
    throw new AppError("forbidden", "Only a system administrator can create a system administrator", { param: "role" });
  if (!isAdmin && input.free_probes > 0)
    throw new AppError("forbidden", "Only a system administrator can say which calls count in no quota", {
      param: "free_probes",
    });
  if (!isAdmin && input.organization_id !== undefined && input.organization_id !== actor.organizationId)
    throw unknownOrganization();
  const id = newId();
  const home = isAdmin ? input.organization_id : actor.organizationId;
  const may = stillManages(actor);
  const rows = newAccountRows(ctx, {
    id,
    name: input.name,
    email: `service-${id}@service.invalid`,
    picture: "",
    role: input.role,
    action: "service_account.created",
    home,
    identity: {
      kind: "service",
      freeProbes: input.free_probes,
      organizationRole: input.organization_role,
      bio: input.bio || null,
    },
    condition: may,
  });
  const state = ctx.db.all<{ may: number; known: number }>(
    sql`SELECT ${may} AS may, ${home === undefined ? sql`1` : sql`EXISTS (SELECT 1 FROM ${organizations} WHERE id = ${home})`} AS known`,
  );
  const made = ctx.db
    .select({ ...userColumns, ...storageColumns, ...factorColumn(ctx), groupIds: groupIdsOf })
    .from(users)
    .where(eq(users.id, id));
  const results = await ctx.db.batch([...rows, state, made]);
  const [[after], [row]] = results.slice(-2) as [Awaited<typeof state>, Awaited<typeof made>];
  if (!after!.may) throw new AppError("forbidden", "Only an administrator can do this");
  if (!after!.known) throw unknownOrganization();
  if (!row) throw noOrganization();
  return toListedUser(ctx, row);
}

function unknownOrganization(): AppError {
  const message = "No such organization";
  return new AppError("validation_failed", `organization_id: ${message}`, {
    param: "organization_id",
    issues: [{ path: "organization_id", message }],
  });
}
