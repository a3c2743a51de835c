import { JobFailure } from "../../../jobs/job-failure.ts";
import { fileKey } from "../blob-keys.ts";
import { readExternally } from "../extraction/external-reader.ts";
import { chunkStored } from "./chunk-stored.ts";
import type { Reading, ReadText } from "./extract-handler.ts";
import { beginText } from "./new-text.ts";
import { PageMarks } from "./page-marks.ts";

/** Has a file read by the external reader that administrators have set up. @throws JobFailure, ExtractorLost */
export async function readByService(reading: Reading): Promise<ReadText> {
  const { ctx, file, job, run } = reading;
  const text = await beginText(ctx, file, run, job.deadline);
  const stored = await ctx.blobs.get(fileKey(file.id));
  if (!stored) throw new JobFailure("internal_error", "The stored file is missing");
  const { filename, contentType } = file;
  const pieces = await readExternally(ctx, { filename, contentType, body: stored.body }, run.signal);
  const marks = new PageMarks();
  let pageCount = 0;
  for (const { text: piece, page, label } of pieces) {
    const separated = text.length === 0 ? piece : `\n\n${piece}`;
    marks.add(separated, page, label);
    await text.write(separated);
    pageCount = Math.max(pageCount, page ?? 0);
  }
  const { sha256, length } = await text.finish();
  const chunkCount = await chunkStored(reading, text.version, marks.marks);
  const facts = { sha256, length, pageCount: pageCount === 0 ? null : pageCount, uploadId: text.uploadId };
  return { version: text.version, chunkCount, facts };
}
