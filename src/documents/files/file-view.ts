import { statusOf } from "./file-status.ts";
import { stateColumns } from "./publish-file-state.ts";
import type { FileView } from "./schema.ts";
import { files } from "./tables.ts";

/** What a view is made of. */
export const viewColumns = {
  ...stateColumns,
  filename: files.filename,
  contentType: files.contentType,
  size: files.size,
  sha256: files.sha256,
  meta: files.meta,
  pageCount: files.pageCount,
  chunkCount: files.chunkCount,
  createdAt: files.createdAt,
  updatedAt: files.updatedAt,
};

export type ViewRow = Pick<typeof files.$inferSelect, keyof typeof viewColumns>;

/** A file as clients see it. */
export function viewOf(row: ViewRow): FileView {
  const { id, filename, pageCount, chunkCount, createdAt } = row;
  return {
    id,
    user_id: row.userId,
    hash: row.sha256,
    filename,
    data: statusOf(row),
    meta: {
      name: filename,
      content_type: row.contentType,
      size: row.size,
      ...(pageCount === null ? {} : { pages: pageCount }),
      ...(chunkCount === 0 ? {} : { chunks: chunkCount }),
      data: row.meta,
    },
    url: `/api/v1/files/${id}/content`,
    created_at: createdAt,
    updated_at: Math.max(row.updatedAt, createdAt),
  };
}
