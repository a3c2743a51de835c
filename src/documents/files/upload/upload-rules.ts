import { requirePermission, type User } from "../../../access.ts";
import type { Context, Settings } from "../../../context.ts";
import { AppError } from "../../../errors.ts";

/** @throws AppError `forbidden` */
export function requireUploader(ctx: Context): User {
  return requirePermission(ctx, "chat.file_upload");
}

/** How large a file may be, and what is said to one that is larger. */
export function fileLimit({ RAG_FILE_MAX_SIZE: megabytes }: Settings): { bytes: number; refusal(): AppError } {
  return {
    bytes: megabytes * 1024 * 1024,
    refusal: () => new AppError("payload_too_large", `Files can have at most ${megabytes} MB`),
  };
}

/** @throws AppError `unsupported_media_type` for a kind of file that administrators do not allow */
export function refuseKind({ RAG_ALLOWED_FILE_EXTENSIONS: allowed }: Settings, filename: string): void {
  if (allowed.length === 0) return;
  const ending = /\.([^.]+)$/.exec(filename)?.[1]?.toLowerCase();
  const endings = allowed.map((each) => each.replace(/^\./, "").toLowerCase());
  if (ending !== undefined && endings.includes(ending)) return;
  throw new AppError("unsupported_media_type", `Only these file types may be uploaded: ${endings.join(", ")}`);
}
