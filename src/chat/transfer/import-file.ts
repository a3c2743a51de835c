import { requirePermission } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { findExcess } from "../../lib/json-depth.ts";
import { tryParseJson } from "../../lib/json.ts";
import { chatLimitText } from "../../people/totals/chat-room.ts";
import { untitled } from "../../shared/chat-title.ts";
import { announceList } from "../conversations/announce-chats.ts";
import { planImport } from "../conversations/import-chats.ts";
import { requireStoring } from "../conversations/require-storing.ts";
import { inBatches, storeChats } from "../conversations/store-chats.ts";
import { FolderFinder } from "../folders/folder-paths.ts";
import { dropMissingFiles } from "./drop-files.ts";
import type { ReadChat } from "./exported.ts";
import { openDocuments } from "./open-documents.ts";
import { readExported } from "./read-exported.ts";
import type { ImportReport } from "./schema.ts";
import { splitItems } from "./split-items.ts";

/** Maximum file size, in bytes. */
export const maxImportBytes = 2_000_000_000;
/** Maximum size of a chat, in bytes of JSON: memory holds it several times. */
const maxChatBytes = 12_000_000;
/** What is gathered before it is stored. */
const atOnce = { chats: 200, bytes: 2_000_000 };
/** So many are named in the report. */
const named = { chats: 50, leftOut: 200 };

/**
 * Imports the chats of an export, JSON or a zip file with it, while it arrives. Chats that are stored stay stored, even if the rest fails; the
 * report lists failures.
 * @throws AppError `forbidden`; `payload_too_large`; `bad_request` for anything except a list or an object, with
 *   nothing stored.
 */
export async function importFile(ctx: Context, body: AsyncIterable<Uint8Array>): Promise<ImportReport> {
  const user = requirePermission(ctx, "chat.import");
  requireStoring(ctx);
  const intake = new Intake(ctx);
  try {
    let complete = true;
    const unpacked = { bytes: 0 };
    for await (const document of openDocuments(limited(body, { bytes: 0 }))) {
      const items = splitItems(limited(document, unpacked), maxChatBytes);
      let item = await items.next();
      for (; !item.done; item = await items.next()) await intake.take(item.value);
      complete &&= item.value.complete;
    }
    await intake.flush();
    return { ...intake.report, complete };
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new AppError(
        "bad_request",
        "Not a chat export: expected JSON with a list of chats or a single chat, or the zip file of ChatGPT, Claude or this service",
        {
          cause: error,
        },
      );
    throw error;
  } finally {
    if (intake.report.imported > 0) announceList(ctx, user.id);
  }
}

/** @param count goes on from what was counted before. @throws AppError `payload_too_large` as soon as the limit is exceeded. */
async function* limited(body: AsyncIterable<Uint8Array>, count: { bytes: number }): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    count.bytes += chunk.length;
    if (count.bytes > maxImportBytes)
      throw new AppError("payload_too_large", `The file is larger than ${maxImportBytes / 1_000_000} MB`);
    yield chunk;
  }
}

type Planned = { read: ReadChat; position: number; folderId: string | null } & ReturnType<typeof planImport>;

/** Collects chats and stores them in groups. */
class Intake {
  readonly #ctx: Context;
  readonly #finder: FolderFinder;
  #waiting: { read: ReadChat; position: number }[] = [];
  #bytes = 0;
  #position = 0;
  /** The person has as many chats as they may: the rest is only counted. */
  #isFull = false;
  readonly report: Omit<ImportReport, "complete"> = {
    imported: 0,
    messages: 0,
    chats: [],
    left_out: [],
    left_out_count: 0,
    changes: { messages_left_out: 0, messages_moved: 0, files_left_out: 0, folders_left_out: 0 },
  };

  constructor(ctx: Context) {
    this.#ctx = ctx;
    this.#finder = new FolderFinder(ctx);
  }

  async take(item: { text: string } | { refused: string }): Promise<void> {
    if (this.#isFull) {
      this.#position += 1;
      return this.#leaveOut(this.#position, "", this.#noRoom);
    }
    if ("refused" in item) {
      this.#position += 1;
      const reason =
        item.refused === "too large" ? `It is larger than ${maxChatBytes / 1_000_000} MB` : "It is not UTF-8";
      this.#leaveOut(this.#position, "", reason);
      return;
    }
    const maxValues = this.#ctx.settings.MAX_LARGE_JSON_VALUES;
    const excess = findExcess(item.text, maxValues);
    if (excess === "values") {
      this.#position += 1;
      this.#leaveOut(this.#position, "", `It has more than ${maxValues} values`);
      return;
    }
    const value = excess ? undefined : tryParseJson(item.text);
    // A document that is one object may be what the import of the API takes.
    const inner = (value as { chats?: unknown } | null | undefined)?.chats;
    for (const entry of Array.isArray(inner) ? (inner as unknown[]) : [value]) {
      this.#position += 1;
      const read = entry === undefined ? { reason: "It is not JSON", title: "" } : readExported(entry);
      if ("reason" in read) this.#leaveOut(this.#position, read.title, read.reason);
      else this.#waiting.push({ read, position: this.#position });
    }
    this.#bytes += item.text.length;
    if (this.#waiting.length >= atOnce.chats || this.#bytes >= atOnce.bytes) await this.flush();
  }

  /** Stores the collected chats, some in each transaction. */
  async flush(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#bytes = 0;
    if (waiting.length === 0) return;
    await dropMissingFiles(
      this.#ctx,
      waiting.map(({ read }) => read),
    );
    const planned: Planned[] = [];
    for (const { read, position } of waiting) {
      try {
        const folderId = await this.#finder.find(read.chat);
        planned.push({ read, position, folderId, ...planImport(this.#ctx, read.chat, folderId) });
      } catch (error) {
        // A message that is too large, or too many of them.
        if (!(error instanceof AppError)) throw error;
        this.#leaveOut(position, read.chat.title ?? "", error.message);
      }
    }
    let stored = 0;
    for (const batch of inBatches(planned.map(({ storable }) => storable))) {
      const count = await storeChats(this.#ctx, batch);
      const these = planned.slice(stored, (stored += batch.length));
      for (const chat of these.slice(0, count)) this.#report(chat);
      for (const { read, position } of these.slice(count))
        this.#leaveOut(position, read.chat.title ?? "", this.#noRoom);
      if (count < batch.length) this.#isFull = true;
    }
  }

  get #noRoom(): string {
    return chatLimitText(this.#ctx);
  }

  #report({ read, plan, storable, folderId }: Planned): void {
    const { report } = this;
    const title = read.chat.title ?? "";
    report.imported += 1;
    report.messages += plan.inserts.length;
    report.changes.messages_left_out += read.messagesLeftOut;
    report.changes.messages_moved += plan.issues.length;
    report.changes.files_left_out += read.filesLeftOut;
    report.changes.folders_left_out += read.inFolder && folderId === null ? 1 : 0;
    if (report.chats.length < named.chats)
      report.chats.push({ id: storable.row.id, title: title === "" ? untitled : title });
  }

  #leaveOut(position: number, title: string, reason: string): void {
    this.report.left_out_count += 1;
    if (this.report.left_out.length < named.leftOut) this.report.left_out.push({ position, title, reason });
  }
}
