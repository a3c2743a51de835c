import { JobFailure } from "../../../jobs/job-failure.ts";
import { fileKey } from "../blob-keys.ts";
import { externalReading } from "../extraction/external-reader.ts";
import { type ExtractEvent, ExtractorLost, type FileFailure } from "../extraction/extractor.ts";
import { readsPictures } from "../extraction/picture-reader.ts";
import { chunkOptions } from "./chunk-options.ts";
import { chunkStored } from "./chunk-stored.ts";
import type { Reading, ReadText } from "./extract-handler.ts";
import { FileProgress } from "./file-progress.ts";
import { beginText, type NewText } from "./new-text.ts";
import { PageMarks } from "./page-marks.ts";
import { readByService } from "./read-by-service.ts";
import { readPage } from "./read-page.ts";
import { PassageStore } from "./store-passages.ts";

/** What somebody else may be able to read. */
const unreadHere: ReadonlySet<FileFailure> = new Set(["file_no_text", "file_unsupported"]);

/** Reads a file's bytes: here, or by the service that administrators have set up for it. @throws JobFailure, ExtractorLost */
export async function readDocument(reading: Reading): Promise<ReadText> {
  const external = externalReading(reading.ctx);
  if (external === "all") return readByService(reading);
  try {
    return await readHere(reading);
  } catch (error) {
    const isRest = error instanceof JobFailure && unreadHere.has(error.code);
    if (external === "rest" && isRest) return readByService(reading);
    throw error;
  }
}

interface Followed {
  pageCount: number | null;
  /** Passages that came do not hold all of the text. */
  hasPictures: boolean;
}

async function readHere(reading: Reading): Promise<ReadText> {
  const { ctx, file, job, run } = reading;
  const text = await beginText(ctx, file, run, job.deadline);
  const { version, uploadId } = text;
  const store = new PassageStore(ctx, { fileId: file.id, version });
  const marks = new PageMarks();
  const { pageCount, hasPictures } = await follow(reading, text, marks, store);
  if (!text.hasLetters) throw new JobFailure("file_no_text", "It has no text", { final: true });
  const { sha256, length } = await text.finish();
  if (!hasPictures) await store.finish();
  const chunkCount = hasPictures ? await chunkStored(reading, version, marks.marks) : store.count;
  return { version, chunkCount, facts: { sha256, length, pageCount, uploadId } };
}

/** Follows what the extractor says, to its end. */
async function follow(reading: Reading, text: NewText, marks: PageMarks, store: PassageStore): Promise<Followed> {
  const { ctx, file, run } = reading;
  const stored = await ctx.blobs.get(fileKey(file.id));
  if (!stored) throw new JobFailure("internal_error", "The stored file is missing");
  const { filename, contentType, size: bytes } = file;
  const options = { ...chunkOptions(ctx.settings), filename, contentType, bytes, pictures: readsPictures(ctx) };
  const progress = new FileProgress(ctx, file, run, false);
  const write = async (piece: string, page: number | null, label: string | null) => {
    marks.add(piece, page, label);
    await text.write(piece);
  };
  let unit: Extract<ExtractEvent, { type: "kind" }>["unit"] = "bytes";
  let hasPictures = false;
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
        await write(event.text, event.page, event.label);
        break;
      case "passages":
        if (!hasPictures) await store.add(event.passages);
        break;
      case "picture": {
        hasPictures = true;
        const read = await readPage(reading, event);
        if (read !== "") await write(`${text.length === 0 ? "" : "\n\n"}${read}\n\n`, event.page, null);
        break;
      }
      case "end":
        return { pageCount: event.pages, hasPictures };
      case "failed":
        throw new JobFailure(event.code, event.message, { final: true });
    }
  }
  throw new ExtractorLost("memory");
}
