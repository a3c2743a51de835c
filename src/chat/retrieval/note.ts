import type { AskedDocument, AskedOther } from "./asked-items.ts";
import type { KnownFile } from "./find-documents.ts";

/** Why a part of a request could not be used, or not completely. Stable and machine readable. */
export type NoteCode =
  | "not_found"
  | "file_processing"
  | "file_failed"
  | "file_no_text"
  | "file_not_processed"
  | "unsupported"
  | "shortened"
  | "search_failed"
  | "search_incomplete"
  | "page_failed";

/** A notice for the reader about the documents of an answer. */
export interface RetrievalNote {
  type: string;
  id?: string;
  name: string;
  code: NoteCode;
  /** For people. */
  message: string;
}

/** For a file or collection that does not exist or that the caller may not read: both look the same. */
export function missingNote({ type, id, name }: AskedDocument): RetrievalNote {
  const shown = name ?? (type === "file" ? "A file" : "A knowledge base");
  const message = `${shown} no longer exists, or you have no access to it`;
  return { type, id, name: name ?? id, code: "not_found", message };
}

export function unsupportedNote({ type, id, name }: AskedOther): RetrievalNote {
  const kind = type === "" || type === name ? "something of this kind" : `something of the kind “${type.slice(0, 40)}”`;
  const message = `${name} was left out: ${kind} cannot be searched`;
  return { type, ...(id === undefined ? {} : { id }), name, code: "unsupported", message };
}

/** For a file without searchable text. */
export function unreadNote(file: KnownFile): RetrievalNote {
  const { id, filename: name, state, error, errorCode } = file;
  const about = (code: NoteCode, message: string): RetrievalNote => ({ type: "file", id, name, code, message });
  switch (state) {
    case "pending":
      return about("file_processing", `${name} is still being read, so this answer goes on without it`);
    case "stored":
      return about("file_not_processed", `${name} was uploaded without text extraction`);
    case "failed":
      return about(
        errorCode === "file_no_text" || errorCode === "file_empty" ? "file_no_text" : "file_failed",
        `${name} could not be read${error ? `: ${error}` : ""}`,
      );
    case "completed":
      return about("file_no_text", `${name} has no text`);
  }
}
