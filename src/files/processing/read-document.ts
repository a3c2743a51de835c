import { JobFailure } from "../../jobs/job-failure.ts";
import { fileKey } from "../blob-keys.ts";
import { type ExtractEvent, ExtractorLost } from "../extraction/extractor.ts";
import { chunkOptions } from "./chunk-options.ts";
import type { Reading, ReadText } from "./extract-handler.ts";
import { FileProgress } from "./file-progress.ts";
import { lostFailure } from "./lost-failure.ts";
import { beginText, type NewText } from "./new-text.ts";
import { PassageStore } from "./store-passages.ts";

/** Reads a file's bytes. @throws JobFailure */
export async function readDocument(reading: Reading): Promise<ReadText> {
  const { ctx, file, job, run } = reading;
  const text = await beginText(ctx, file, run, job.deadline);
  const store = new PassageStore(ctx, { fileId: file.id, version: text.version });
  try {
    const pageCount = await follow(reading, text, store);
    if (!text.hasLetters) throw new JobFailure("file_no_text", "There is no text in it", { final: true });
    const { sha256, length } = await text.finish();
    await store.finish();
    return {
      version: text.version,
      chunkCount: store.count,
      facts: { sha256, length, pageCount, uploadId: text.uploadId },
    };
  } catch (error) {
    throw error instanceof ExtractorLost ? lostFailure(error, job) : error;
  }
}

/** Follows what the extractor says. @returns the number of pages */
async function follow(reading: Reading, text: NewText, store: PassageStore): Promise<number | null> {
  const { ctx, file, run } = reading;
  const stored = await ctx.blobs.get(fileKey(file.id));
  if (!stored) throw new JobFailure("internal_error", "The bytes are not there");
  const { filename, contentType, size } = file;
  const options = { ...chunkOptions(ctx.settings), filename, contentType, bytes: size, pictures: false };
  const progress = new FileProgress(ctx, file, run, false);
  let unit: Extract<ExtractEvent, { type: "kind" }>["unit"] = "bytes";
  for await (const event of ctx.extractor.extract(stored.body, options, run.signal)) {
    switch (event.type) {
      case "kind":
        ({ unit } = event);
        progress.say("extracting", 0, event.total, unit);
        break;
      case "progress":
        progress.say("extracting", event.done, event.total, unit);
        break;
      case "text":
        await text.write(event.text);
        break;
      case "passages":
        await store.add(event.passages);
        break;
      case "picture":
        break;
      case "end":
        return event.pages;
      case "failed":
        throw new JobFailure(event.code, event.message, { final: true });
    }
  }
  throw new ExtractorLost("memory");
}
