import { sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { users } from "../../people/users/tables.ts";
import { answerList } from "../answer-list.ts";
import { compileList, parseListQuery } from "../list-query.ts";
import { noteRequest } from "../note-request.ts";
import { project, type Projection } from "../projection.ts";
import { requireProvisioner } from "../require-provisioner.ts";
import type { ScimList } from "../schema.ts";
import { userAttributes, userSorts } from "./user-attributes.ts";
import { selectUser, selectUsers, toScimUser } from "./user-rows.ts";
import { unknownUser } from "./write-user.ts";

/** One person, switched off or not. @throws AppError `not_found`. */
export async function getUser(ctx: Context, userId: string, projection: Projection): Promise<Record<string, unknown>> {
  requireProvisioner(ctx);
  const [row] = await selectUser(ctx, userId, projection);
  if (!row) throw unknownUser();
  noteRequest(ctx, {
    action: "scim.user.read",
    targetType: "user",
    targetId: userId,
    detail: { operation: "GET", userName: row.userName ?? row.email },
  });
  return project(toScimUser(ctx, row), projection);
}

/**
 * Everyone there is, made by SCIM or not, switched off or not: who is left out would be created a second time.
 * @param given the query of a GET, or the body of a search
 * @throws ScimError `invalidFilter`, `invalidValue`; AppError `internal_error` for externalId without a provider.
 */
export async function listUsers(ctx: Context, given: Record<string, unknown>): Promise<ScimList> {
  requireProvisioner(ctx);
  const query = parseListQuery(given);
  const { where, orderBy } = compileList(query, userAttributes(ctx), userSorts(ctx), sql`users.id`);
  const [rows, [counted]] = await ctx.db.batch([
    selectUsers(ctx, query.projection)
      .where(where)
      .orderBy(orderBy)
      .limit(query.count)
      .offset(query.startIndex - 1),
    ctx.db
      .select({ total: sql<number>`count(*)` })
      .from(users)
      .where(where),
  ]);
  return answerList(
    ctx,
    query,
    "user",
    rows.map((row) => toScimUser(ctx, row)),
    counted!.total,
  );
}
