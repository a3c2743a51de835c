import { and, sql, type SQL } from "drizzle-orm";
import type { RunnableQuery } from "drizzle-orm/runnable-query";
import type { Context } from "../context.ts";
import type { groups } from "../people/groups/tables.ts";
import type { users } from "../people/users/tables.ts";
import type { FilterAttributes } from "./filter/attributes.ts";
import { compileList, type ListQuery, type SortExpressions } from "./list-query.ts";
import { noteRequest } from "./note-request.ts";
import { project } from "./projection.ts";
import { listOf, type ScimList } from "./schema.ts";

/** Which rows a page has. */
interface Page {
  where: SQL | undefined;
  orderBy: SQL;
  limit: number;
  offset: number;
}

/** A kind of resources: where its rows are, what they can be found and sorted by, and how they are shown. */
interface ResourceKind<Row> {
  targetType: "user" | "group";
  table: typeof users | typeof groups;
  /** The rows that there are for the identity provider; all when left out. */
  scope?: SQL;
  attributes: FilterAttributes;
  sorts: SortExpressions;
  select(page: Page): RunnableQuery<Row[], "sqlite">;
  toResource(row: Row): Parameters<typeof project>[0];
}

/** One page of resources, and how many match in all, in one round trip. */
export async function listResources<Row>(ctx: Context, query: ListQuery, kind: ResourceKind<Row>): Promise<ScimList> {
  const { targetType, table } = kind;
  const { where: matching, orderBy } = compileList(query, kind.attributes, kind.sorts, sql`${table.id}`);
  const where = and(kind.scope, matching);
  const [rows, [counted]] = await ctx.db.batch([
    kind.select({ where, orderBy, limit: query.count, offset: query.startIndex - 1 }),
    ctx.db
      .select({ total: sql<number>`count(*)` })
      .from(table)
      .where(where),
  ]);
  const { total } = counted!;
  noteRequest(ctx, {
    action: `scim.${targetType}s.read`,
    targetType,
    targetId: "",
    detail: {
      operation: "GET",
      ...(query.filter !== undefined && { filter: query.filter.slice(0, 1000) }),
      total,
      returned: rows.length,
    },
  });
  const resources = rows.map((row) => project(kind.toResource(row), query.projection));
  return listOf(resources, total, query.startIndex);
}
