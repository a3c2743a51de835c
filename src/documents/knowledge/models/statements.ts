import { sql, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Context } from "../../../context.ts";
import { newId } from "../../../lib/id.ts";
import { modelKnowledge } from "../tables.ts";
import { uniqueReferences } from "./references.ts";
import type { KnowledgeReference } from "./schema.ts";

/**
 * Statements for a batch that make exactly this what a model looks things up in, for everyone or one organization. What was
 * deleted meanwhile is passed over.
 */
export function modelKnowledgeStatements(
  ctx: Context,
  modelId: string,
  organizationId: string | null,
  given: readonly KnowledgeReference[],
  condition: SQL,
): BatchItem<"sqlite">[] {
  const rows = uniqueReferences(given).map(({ type, id }) => [newId(), type, id]);
  const list = sql`json_each(${JSON.stringify(rows)})`;
  return [
    ctx.db
      .insert(modelKnowledge)
      .select(
        sql`SELECT e.value ->> 0, ${modelId}, ${organizationId}, e.value ->> 1, e.value ->> 2, ${ctx.now()} FROM ${list} e
          WHERE ${condition} AND CASE e.value ->> 1 WHEN 'file' THEN EXISTS (SELECT 1 FROM files WHERE id = e.value ->> 2)
            ELSE EXISTS (SELECT 1 FROM knowledge WHERE id = e.value ->> 2) END`,
      )
      .onConflictDoNothing(),
    ctx.db.run(sql`DELETE FROM model_knowledge WHERE model_id = ${modelId} AND organization_id IS ${organizationId}
      AND kind || '/' || target_id NOT IN (SELECT (e.value ->> 1) || '/' || (e.value ->> 2) FROM ${list} e) AND ${condition}`),
  ];
}
