import { addItem, endItem, type ItemPlace, type ItemState, type OutputItem } from "./output-items.ts";
import type { Item } from "./to-parts.ts";

export interface MessageItem extends OutputItem {
  kind: "message";
  text(piece: string, logprobs: readonly Item[]): void;
  refuse(piece: string): void;
  annotate(annotation: Item): void;
}

interface Part {
  type: "output_text" | "refusal";
  text: string;
  annotations: Item[];
  logprobs: Item[];
}

/** A message of the assistant: texts and refusals, each its own part. */
export function createMessageItem(place: ItemPlace): MessageItem {
  const { writer, id } = place;
  const parts: Part[] = [];
  let open: Part | undefined;
  let state = "in_progress";
  const common = addItem(place, item());

  function item(): Item {
    return { id, type: "message", role: "assistant", status: state, content: parts.map(partOf) };
  }

  function partOf({ type, text, annotations, logprobs }: Part): Item {
    return type === "refusal" ? { type, refusal: text } : { type, text, annotations, logprobs };
  }

  function openPart(type: Part["type"]): Part {
    if (open?.type === type) return open;
    closePart();
    open = { type, text: "", annotations: [], logprobs: [] };
    parts.push(open);
    writer.delta(
      "response.content_part.added",
      `${common},"content_index":${parts.length - 1},"part":${JSON.stringify(partOf(open))}`,
    );
    return open;
  }

  function closePart(): void {
    if (!open) return;
    const here = `${common},"content_index":${parts.length - 1}`;
    const { type, text, logprobs } = open;
    const said = JSON.stringify(text);
    if (type === "refusal") writer.delta("response.refusal.done", `${here},"refusal":${said}`);
    else writer.delta("response.output_text.done", `${here},"text":${said},"logprobs":${JSON.stringify(logprobs)}`);
    writer.delta("response.content_part.done", `${here},"part":${JSON.stringify(partOf(open))}`);
    open = undefined;
  }

  return {
    kind: "message",
    text(piece, logprobs) {
      const part = openPart("output_text");
      part.text += piece;
      part.logprobs.push(...logprobs);
      const fields = `"delta":${JSON.stringify(piece)},"logprobs":${logprobs.length > 0 ? JSON.stringify(logprobs) : "[]"}`;
      writer.delta("response.output_text.delta", `${common},"content_index":${parts.length - 1},${fields}`);
    },
    refuse(piece) {
      openPart("refusal").text += piece;
      writer.delta(
        "response.refusal.delta",
        `${common},"content_index":${parts.length - 1},"delta":${JSON.stringify(piece)}`,
      );
    },
    annotate(annotation) {
      const part = openPart("output_text");
      part.annotations.push(annotation);
      const index = `"content_index":${parts.length - 1},"annotation_index":${part.annotations.length - 1}`;
      const fields = `${common},${index},"annotation":${JSON.stringify(annotation)}`;
      writer.delta("response.output_text.annotation.added", fields);
    },
    item,
    close(ended: ItemState) {
      closePart();
      state = ended;
      endItem(place, item());
    },
  };
}
