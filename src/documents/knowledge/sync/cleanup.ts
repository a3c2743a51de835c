import type { Context } from "../../../context.ts";
import { removeEmptyDirectories } from "../directories.ts";
import { removeFiles } from "../remove-files.ts";

/**
 * Takes out of a base what is not at the source any more: files, also those that wait, and directories with nothing in them.
 * @throws AppError `not_found`, `forbidden`
 */
export async function cleanUpKnowledge(
  ctx: Context,
  id: string,
  input: { file_ids: string[]; dir_ids: string[] },
): Promise<{ status: true; removed: number; removed_directories: number }> {
  const removed = await removeFiles(ctx, id, [...new Set(input.file_ids)], undefined);
  const directories = input.dir_ids.length === 0 ? 0 : await removeEmptyDirectories(ctx, id, input.dir_ids);
  return { status: true, removed, removed_directories: directories };
}
