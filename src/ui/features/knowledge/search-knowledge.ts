import { api } from "../../lib/api.ts";
import { isRecord, textField } from "../../lib/live/live-state.ts";

/** A passage as the search of a base gives it. */
export interface FoundPassage {
  fileId: string;
  /** What the passage is called by: `GET /api/v1/files/{id}/passages/{chunk}`. */
  chunk: number | undefined;
  name: string;
  text: string;
  /** Page, slide or sheet as people call it. */
  page: string | undefined;
  headings: string[];
  /** 0 to 1. */
  score: number | undefined;
}

/** What a model would be given for a question. */
export async function searchKnowledge(knowledgeId: string, question: string): Promise<FoundPassage[]> {
  const answer = await api<{ documents: string[][]; metadatas: unknown[][] }>(
    "POST",
    "/api/v1/retrieval/query/collection",
    { body: { collection_names: [knowledgeId], query: question, k: 10 }, timeout: 60_000 },
  );
  return (answer.documents[0] ?? []).map((text, at) => readPassage(text, answer.metadatas[0]?.[at]));
}

function readPassage(text: string, metadata: unknown): FoundPassage {
  const record = isRecord(metadata) ? metadata : {};
  const { page, label, headings, score, chunk } = record;
  const place = label ?? page;
  return {
    fileId: textField(record, "file_id"),
    chunk: typeof chunk === "number" ? chunk : undefined,
    name: textField(record, "name"),
    text,
    page: typeof place === "number" || (typeof place === "string" && place !== "") ? String(place) : undefined,
    headings: Array.isArray(headings) ? headings.filter((each) => typeof each === "string") : [],
    score: typeof score === "number" ? score : undefined,
  };
}
