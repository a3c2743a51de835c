import { fileTexts } from "./texts.ts";

/** What may be uploaded, as `GET /api/config` says in `file`. */
export interface UploadLimits {
  /** Megabytes. */
  max_size: number;
  extensions: readonly string[];
}

/** Why a file need not be sent at all, in words for people; undefined when it may. */
export function refuseFile(file: File, limits: UploadLimits | undefined): string | undefined {
  if (file.size === 0) return fileTexts.empty(file.name);
  if (!limits) return undefined;
  if (file.size > limits.max_size * 1024 * 1024) return fileTexts.tooLarge(file.name, limits.max_size);
  const ending = file.name.includes(".") ? (file.name.split(".").at(-1) ?? "").toLowerCase() : "";
  const isAllowed = limits.extensions.length === 0 || limits.extensions.includes(ending);
  return isAllowed ? undefined : fileTexts.ending(file.name, limits.extensions);
}
