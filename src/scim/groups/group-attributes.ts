import { sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import type { FilterAttributes } from "../filter/attributes.ts";
import type { SortExpressions } from "../list-query.ts";
import { locationOf } from "../paths.ts";
import { groupSchema } from "../schema.ts";

/** Of one member object; `gm` is the membership and `mu` the person. */
function memberAttributes(ctx: Context): FilterAttributes {
  return {
    value: { type: "string", caseExact: true, column: sql`gm.user_id` },
    display: { type: "string", caseExact: false, column: sql`mu.name` },
    type: { type: "string", caseExact: false, column: sql`'User'` },
    $ref: { type: "string", caseExact: true, column: sql`(${`${locationOf(ctx, "Users")}/`} || gm.user_id)` },
  };
}

/** The location of members, for conditions on one member. */
export function members(ctx: Context) {
  return {
    from: sql`group_members gm JOIN users mu ON mu.id = gm.user_id AND mu.kind = 'person'`,
    attributes: memberAttributes(ctx),
  };
}

/** The locations of the attributes in `toScimGroup` for filters; `displayName`, `externalId` and `id` use indexes. */
export function groupAttributes(ctx: Context): FilterAttributes {
  return {
    id: { type: "string", caseExact: true, column: sql`groups.id` },
    externalid: { type: "string", caseExact: true, column: sql`groups.external_id` },
    displayname: { type: "string", caseExact: false, column: sql`groups.name` },
    members: { type: "multi", ...members(ctx), where: sql`gm.group_id = groups.id` },
    schemas: { type: "string", caseExact: true, column: sql`${groupSchema}` },
    meta: {
      type: "complex",
      attributes: {
        resourcetype: { type: "string", caseExact: true, column: sql`'Group'` },
        created: { type: "dateTime", column: sql`groups.created_at` },
        lastmodified: { type: "dateTime", column: sql`groups.updated_at` },
      },
    },
  };
}

export const groupSorts: SortExpressions = {
  id: sql`groups.id`,
  externalid: sql`groups.external_id`,
  displayname: sql`lower(groups.name)`,
  "meta.created": sql`groups.created_at`,
  "meta.lastmodified": sql`groups.updated_at`,
};
