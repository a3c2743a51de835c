import { and, desc, eq, sql } from "drizzle-orm";
import type { User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { viewColumns, viewOf, type ViewRow } from "../files/file-view.ts";
import { files } from "../files/tables.ts";
import { knowledgeView, type selectKnowledge, type selectKnowledgeGrants } from "./knowledge-row.ts";
import { readBack, unknownKnowledge } from "./knowledge.ts";
import { readableKnowledge } from "./readable.ts";
import type { FileWarnings, KnowledgeWithFiles } from "./schema.ts";
import { knowledgeFiles } from "./tables.ts";

/** Files that an answer to a change shows. */
const maxShown = 100;

/** Statements for the end of a batch that read back a base with some of its files: those named first, then the latest. */
export function readBackWithFiles(ctx: Context, user: User, id: string, fileIds: readonly string[]) {
  const named = JSON.stringify(fileIds);
  return [
    ...readBack(ctx, user, id),
    ctx.db
      .select({ file: viewColumns, directoryId: knowledgeFiles.directoryId })
      .from(knowledgeFiles)
      .innerJoin(files, eq(files.id, knowledgeFiles.fileId))
      .where(
        and(
          eq(knowledgeFiles.knowledgeId, id),
          sql`EXISTS (SELECT 1 FROM knowledge WHERE knowledge.id = ${id} AND ${readableKnowledge(user)})`,
          // Ids go by time: the latest are the last of the key, without a look at all.
          sql`knowledge_files.file_id IN (SELECT value FROM json_each(${named}) UNION
            SELECT * FROM (SELECT kf.file_id FROM knowledge_files kf WHERE kf.knowledge_id = ${id} ORDER BY kf.file_id DESC LIMIT ${maxShown}))`,
        ),
      )
      .orderBy(desc(sql`files.id IN (SELECT value FROM json_each(${named}))`), desc(files.id))
      .limit(maxShown),
  ] as const;
}

type ReadBack = [
  Awaited<ReturnType<typeof selectKnowledge>>,
  Awaited<ReturnType<typeof selectKnowledgeGrants>>,
  { file: ViewRow; directoryId: string | null }[],
];

/** @param results of a batch that ended with `readBackWithFiles` @throws AppError `not_found` */
export function baseWithFiles(results: readonly unknown[], warnings?: FileWarnings): KnowledgeWithFiles {
  const [rows, given, linked] = results.slice(-3) as ReadBack;
  if (!rows[0]) throw unknownKnowledge();
  return {
    ...knowledgeView(rows[0], given),
    files: linked.map(({ file, directoryId }) => {
      const { id, hash, meta, created_at, updated_at } = viewOf(file);
      return { id, hash, meta, directory_id: directoryId, created_at, updated_at };
    }),
    ...(warnings ? { warnings } : {}),
  };
}
