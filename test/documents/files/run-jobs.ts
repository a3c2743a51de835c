import { runJobs } from "../../../src/jobs/run-jobs.ts";
import type { Person, World } from "../../world.ts";

export type Content = string | Uint8Array<ArrayBuffer>;

/** Does all that is promised, as the consumers of the queues do, until nothing is due. */
export async function runAllJobs(world: World): Promise<void> {
  for (const kind of ["extract", "embed", "rebuild"] as const) await runJobs(world.services, kind);
  await world.settled();
}

/** A form as browsers send it. */
export function fileForm(content: Content, name = "notes.md", metadata?: unknown): FormData {
  const form = new FormData();
  if (metadata !== undefined) form.append("metadata", JSON.stringify(metadata));
  form.append("file", new Blob([content]), name);
  return form;
}

export interface UploadedView {
  id: string;
  status?: true;
  hash: string;
  filename: string;
  data: { status: string; stage: string | null; code?: string; error?: string };
  meta: { content_type: string; size: number; chunks?: number; data: Record<string, unknown> };
}

/** Uploads over the API, without reading it. */
export async function upload(
  world: World,
  as: Person,
  content: Content,
  { name, metadata, query = "" }: { name?: string; metadata?: unknown; query?: string } = {},
): Promise<UploadedView> {
  const { status, body } = await world.call<UploadedView>(`/api/v1/files/${query}`, {
    as,
    method: "POST",
    body: fileForm(content, name, metadata),
  });
  if (status !== 200) throw new Error(`the upload answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** Uploads a text, and has it read to its end. */
export async function uploadAndRead(world: World, as: Person, content: Content, name?: string): Promise<string> {
  const { id } = await upload(world, as, content, name === undefined ? {} : { name });
  await runAllJobs(world);
  return id;
}
