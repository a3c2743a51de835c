import { AppError } from "../../../errors.ts";
import { isTooDeep } from "../../../lib/json-depth.ts";
import { tryParseJson } from "../../../lib/json.ts";

/**
 * What a sender keeps with a file. `file_hash`, where it is there, must be the SHA-256 of the bytes.
 * @param text JSON; undefined where none came
 * @throws AppError `bad_request`, `validation_failed`
 */
export function readMetadata(text: string | undefined, sha256: string | undefined): Record<string, unknown> {
  if (text === undefined || text.trim() === "") return {};
  const value = isTooDeep(text) ? undefined : tryParseJson(text);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new AppError("bad_request", "metadata is not a JSON object", { param: "metadata" });
  const meta = value as Record<string, unknown>;
  checkHash(meta, sha256);
  return meta;
}

/** @throws AppError `validation_failed` */
export function checkHash(meta: Record<string, unknown>, sha256: string | undefined): void {
  const { file_hash: said } = meta;
  if (said === undefined || said === null || said === "" || sha256 === undefined) return;
  if (typeof said === "string" && said.toLowerCase() === sha256) return;
  throw new AppError("validation_failed", "file_hash does not match the SHA-256 of the received file", {
    param: "file_hash",
  });
}
