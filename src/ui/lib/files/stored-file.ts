import { isRecord, textField } from "../live/live-state.ts";
import { type FileState, readFileState } from "./file-state.ts";

/** A file as the pages know it. */
export interface StoredFile {
  id: string;
  name: string;
  contentType: string;
  /** Bytes. */
  size: number;
  pages: number | undefined;
  /** Passages of its text. */
  passages: number | undefined;
  /** Epoch seconds. */
  createdAt: number | undefined;
  state: FileState;
}

const number = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);

/** Reads a file as `GET /api/v1/files/{id}` and its neighbours answer. */
export function readStoredFile(view: unknown): StoredFile {
  const record = isRecord(view) ? view : {};
  const meta = isRecord(record["meta"]) ? record["meta"] : {};
  return {
    id: textField(record, "id"),
    name: textField(record, "filename") || textField(meta, "name"),
    contentType: textField(meta, "content_type"),
    size: number(meta["size"]) ?? 0,
    pages: number(meta["pages"]),
    passages: number(meta["chunks"]),
    createdAt: number(record["created_at"]),
    state: readFileState(record["data"]),
  };
}
