import { api } from "../api.ts";
import { isRecord, textField } from "../live/live-state.ts";
import { type FileState, readFileState } from "./file-state.ts";
import { readStoredFile, type StoredFile } from "./stored-file.ts";

/** A stretch of a file's text; offsets in UTF-16 units. */
export interface TextWindow {
  text: string;
  start: number;
  /** Length of the whole text, when known. */
  length: number | undefined;
}

const number = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);

const files = "/api/v1/files";
const one = (id: string): string => `${files}/${encodeURIComponent(id)}`;

export const filesApi = {
  /** Without its text, which may be long. */
  get: async (id: string, signal?: AbortSignal): Promise<StoredFile> =>
    readStoredFile(await api("GET", one(id), { query: { content: false }, signal })),
  status: async (id: string, signal?: AbortSignal): Promise<FileState> =>
    readFileState(await api("GET", `${one(id)}/process/status`, { signal })),
  /** Reads it again, or for the first time. */
  process: async (id: string): Promise<StoredFile> => readStoredFile(await api("POST", `${one(id)}/process`)),
  /** Has the service fetch a page of the web, which becomes a file of the person. */
  fetchPage: async (url: string, signal?: AbortSignal): Promise<StoredFile> => {
    const answer = await api<unknown>("POST", "/api/v1/retrieval/process/web", {
      body: { url },
      signal,
      timeout: 90_000,
    });
    return readStoredFile(isRecord(answer) ? answer["file"] : undefined);
  },
  remove: (id: string) => api<unknown>("DELETE", one(id)),
  /** The part of its text from `start` to `end`. */
  text: async (id: string, start: number, end: number, signal?: AbortSignal): Promise<TextWindow> => {
    const answer = await api<unknown>("GET", `${one(id)}/data/content`, { query: { start, end }, signal });
    const record = isRecord(answer) ? answer : {};
    return {
      text: textField(answer, "content"),
      start: number(record["start"]) ?? start,
      length: number(record["length"]),
    };
  },
  /** The caller's own files whose names hold the text, newest first. None found is an empty list. */
  search: async (text: string, limit: number, signal?: AbortSignal): Promise<StoredFile[]> => {
    const query = { filename: `*${text.replaceAll(/[*?[\]]/gu, "?")}*`, content: false, limit };
    const found = await api<unknown>("GET", `${files}/search`, { query, signal }).catch((cause: unknown) => {
      if (isRecord(cause) && cause["status"] === 404) return [];
      throw cause;
    });
    return (Array.isArray(found) ? found : []).map(readStoredFile);
  },
};

/** Where its bytes are. */
export function contentAddress(id: string): string {
  return `${one(id)}/content`;
}
