import { isObject } from "../read-values.ts";
import type { Translated } from "../row-source.ts";

/** Pictures in a message may have so many characters together; larger ones become files. */
const maxInline = 1_000_000;
const dataUrl = /^data:(image\/(png|jpeg|gif|webp|avif));base64,/i;

/** Pictures that were in the messages of a chat. */
export class LargePictures {
  readonly #chatId: string;
  readonly #found: { id: string; type: string; bytes: Uint8Array<ArrayBuffer> }[] = [];

  constructor(chatId: string) {
    this.#chatId = chatId;
  }

  /** The files of a message, with addresses in place of large pictures. */
  takeFrom(files: readonly unknown[]): unknown[] {
    const isImage = (file: unknown) => isObject(file) && file["type"] === "image" && typeof file["url"] === "string";
    const total = files.reduce<number>(
      (sum, file) => sum + (isImage(file) ? (file as { url: string }).url.length : 0),
      0,
    );
    if (total <= maxInline) return [...files];
    return files.map((file) => {
      const id = isImage(file) ? this.#keep((file as { url: string }).url) : undefined;
      return id === undefined ? file : { ...(file as object), id, url: `/api/v1/files/${id}/content` };
    });
  }

  #keep(url: string): string | undefined {
    const [head, type] = dataUrl.exec(url.slice(0, 100)) ?? [];
    if (head === undefined || type === undefined) return undefined;
    try {
      const bytes = Uint8Array.from(atob(url.slice(head.length)), (character) => character.charCodeAt(0));
      const id = `picture-${this.#found.length + 1}-${this.#chatId}`.replaceAll(/[^\w-]/g, "-").slice(0, 100);
      this.#found.push({ id, type, bytes });
      return id;
    } catch {
      return undefined;
    }
  }

  /** The pictures, to be sent before the chat. */
  *files(personId: string, createdAt: number | undefined): Generator<Translated> {
    for (const { id, type, bytes } of this.#found) {
      const name = `picture.${type.split("/")[1]!.toLowerCase().replace("jpeg", "jpg")}`;
      const file = { id, person_id: personId, name, content_type: type.toLowerCase() };
      yield {
        file: createdAt === undefined ? file : { ...file, created_at: createdAt },
        open: async () => ({ size: bytes.length, body: new Blob([bytes]) }),
      };
    }
  }
}
