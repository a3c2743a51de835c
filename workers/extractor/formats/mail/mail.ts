import type { Format } from "../../document.ts";
import { readMessage } from "./read-message.ts";

/** Bytes of one message: it is held as a whole, and what is attached to it once more. */
export const maxMessageBytes = 30e6;

/** One e-mail with all that is attached to it. */
export const mailFormat: Format = {
  async *read(document) {
    const { contentType, size } = document.facts;
    yield { type: "kind", contentType, unit: "bytes", total: size };
    const title = yield* readMessage(await document.bytes(maxMessageBytes), document, 1);
    yield { type: "progress", done: size, total: size };
    yield { type: "end", pages: null, title };
  },
};
