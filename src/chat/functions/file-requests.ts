import { deleteFile } from "../../documents/files/change-file.ts";
import { createFile } from "../../documents/files/files.ts";
import { listFiles } from "../../documents/files/list-files.ts";
import { getFile, readBytesOfFile } from "../../documents/files/read-file.ts";
import { AppError } from "../../errors.ts";
import { fromBase64, toBase64 } from "../../lib/base64.ts";
import { isStored } from "../events/message-items.ts";
import type { Handler } from "./capabilities.ts";
import { pageOf, textOf, wrong } from "./request-arguments.ts";

/** Largest file whose bytes a plugin can read, and longest text that comes with a file; isolates have little memory. */
const maxBytes = 12_000_000;
const maxTextLength = 2_000_000;

/** What a plugin can do with files: what the person for whom it runs can. */
export const fileRequests: Readonly<Record<string, Handler>> = {
  "file.create"(ctx, { name, content_type: type, base64, id }, { place: { chatId } }) {
    const bytes = readBase64(textOf("base64", base64));
    return createFile(ctx, {
      name: textOf("name", name),
      contentType: textOf("content_type", type),
      bytes,
      chatId: isStored(chatId) ? chatId : undefined,
      id: id === undefined || id === null ? undefined : textOf("id", id),
    });
  },
  /** With its text, where it was read and is not too long. */
  async "file.get"(ctx, { id }) {
    const { file, text } = await getFile(ctx, textOf("id", id), true);
    if (!text || text.length > maxTextLength) {
      await text?.body.cancel();
      return file;
    }
    return { ...file, data: { ...file.data, content: await new Response(text.body).text() } };
  },
  async "file.read"(ctx, { id }) {
    const { file, body } = await readBytesOfFile(ctx, textOf("id", id), () => undefined);
    if (file.meta.size > maxBytes) {
      await body.cancel();
      throw new AppError("payload_too_large", `Plugins can read files of at most ${maxBytes / 1_000_000} MB`);
    }
    return { file, base64: toBase64(new Uint8Array(await new Response(body).arrayBuffer())) };
  },
  /** Newest first, a page at a time. */
  "file.list": (ctx, { page }) => listFiles(ctx, pageOf(page)),
  async "file.delete"(ctx, { id }) {
    await deleteFile(ctx, textOf("id", id));
    return true;
  },
};

function readBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return fromBase64(text);
  } catch (error) {
    throw wrong("base64", "invalid base64", error);
  }
}
