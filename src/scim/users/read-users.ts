import type { Context } from "../../context.ts";
import { users } from "../../people/users/tables.ts";
import { parseListQuery } from "../list-query.ts";
import { listResources } from "../list-resources.ts";
import { noteRequest } from "../note-request.ts";
import { project, type Projection } from "../projection.ts";
import { requireProvisioner } from "../require-provisioner.ts";
import type { ScimList } from "../schema.ts";
import { userAttributes, userSorts } from "./user-attributes.ts";
import { isProvisionable, selectUser, selectUsers, toScimUser } from "./user-rows.ts";
import { unknownUser } from "./write-user.ts";

/**
 * One person, active or not.
 * @throws AppError `not_found`.
 */
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
 * All people, created by SCIM or not, active or not: people left out would be created twice. Service accounts are no people.
 * @param given the query of a GET, or the body of a search
 * @throws ScimError `invalidFilter`, `invalidValue`; AppError `internal_error` for externalId without a provider.
 */
export async function listUsers(ctx: Context, given: Record<string, unknown>): Promise<ScimList> {
  requireProvisioner(ctx);
  const query = parseListQuery(given);
  return listResources(ctx, query, {
    targetType: "user",
    table: users,
    scope: isProvisionable,
    attributes: userAttributes(ctx),
    sorts: userSorts(ctx),
    select: ({ where, orderBy, limit, offset }) =>
      selectUsers(ctx, query.projection).where(where).orderBy(orderBy).limit(limit).offset(offset),
    toResource: (row) => toScimUser(ctx, row),
  });
}
