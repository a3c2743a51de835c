import { eq, getTableColumns, sql, type SQL } from "drizzle-orm";
import type { User } from "../../access.ts";
import type { Database } from "../../db/client.ts";
import { grantView, type Grant } from "../../people/grants/grant.ts";
import { grants } from "../../people/grants/tables.ts";
import { users } from "../../people/users/tables.ts";
import { readableKnowledge } from "./readable.ts";
import type { KnowledgeView } from "./schema.ts";
import { knowledge } from "./tables.ts";

const isWritten = (text: SQL) => text.mapWith(Boolean);

/** Statement: bases that the person may read and that fit, each with what the view needs. */
export function selectKnowledge(db: Database, user: User, condition?: SQL) {
  return db
    .select({
      ...getTableColumns(knowledge),
      canWrite: isWritten(sql`${readableKnowledge(user, "write")}`).as("can_write"),
      fileCount: sql<number>`(SELECT count(*) FROM knowledge_files kf WHERE kf.knowledge_id = knowledge.id)`.as(
        "file_count",
      ),
      owner: users.name,
    })
    .from(knowledge)
    .leftJoin(users, eq(users.id, knowledge.userId))
    .where(sql`${readableKnowledge(user)} AND ${condition ?? sql`TRUE`}`)
    .$dynamic();
}

export type KnowledgeRow = Awaited<ReturnType<typeof selectKnowledge>>[number];

/** Statement: the grants of bases. @param ids SQL that can stand behind IN */
export function selectKnowledgeGrants(db: Database, ids: SQL) {
  return db
    .select()
    .from(grants)
    .where(sql`${grants.resourceType} = 'knowledge' AND ${grants.resourceId} IN ${ids}`)
    .orderBy(grants.id);
}

/** A base with the rights of who looks at it. */
export function knowledgeView(row: KnowledgeRow, given: readonly (Grant & { resourceId: string })[]): KnowledgeView {
  return {
    id: row.id,
    user_id: row.userId,
    organization_id: row.organizationId,
    name: row.name,
    description: row.description,
    meta: row.meta,
    access_grants: row.canWrite ? given.filter((grant) => grant.resourceId === row.id).map(grantView) : [],
    write_access: row.canWrite,
    file_count: row.fileCount,
    user: row.userId !== null && row.owner !== null ? { id: row.userId, name: row.owner } : null,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  };
}
