import type { Format } from "../../document.ts";
import { readMessage } from "./read-message.ts";

/** Maximum bytes of one message: it is in memory, together with its attachments. */
export const maxMessageBytes = 30e6;

/** One e-mail with its attachments. */
export const mailFormat: Format = {
  async *read(document) {
    const { contentType, size } = document.facts;
    yield { type: "kind", contentType, unit: "bytes", total: size };
    const title = yield* readMessage(await document.bytes(maxMessageBytes), document, 1);
    yield { type: "progress", done: size, total: size };
    yield { type: "end", pages: null, title };
  },
};
