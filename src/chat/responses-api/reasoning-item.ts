import { addItem, endItem, type ItemPlace, type ItemState, type OutputItem } from "./output-items.ts";
import { sealThoughts } from "./thought-marks.ts";
import type { Item } from "./to-parts.ts";

export interface ReasoningItem extends OutputItem {
  kind: "reasoning";
  think(piece: string): void;
  /** A complete thought with its provider's signature, stored for that provider. */
  mark(thought: Item): void;
}

/**
 * The model's thoughts: as a summary if requested, otherwise as plain reasoning text, as models with open weights have
 * it.
 * @param options `isSummary`; `showsMarks`: the client asked for `reasoning.encrypted_content`
 */
export function createReasoningItem(
  place: ItemPlace,
  { isSummary, showsMarks }: { isSummary: boolean; showsMarks: boolean },
): ReasoningItem {
  const { writer, id } = place;
  const thoughts: Item[] = [];
  let text: string | undefined;
  let state = "in_progress";
  const common = addItem(place, item());
  const here = `${common},"${isSummary ? "summary" : "content"}_index":0`;
  const names = isSummary
    ? { part: "response.reasoning_summary_part", text: "response.reasoning_summary_text" }
    : { part: "response.content_part", text: "response.reasoning_text" };

  function partOf(said: string): Item {
    return { type: isSummary ? "summary_text" : "reasoning_text", text: said };
  }

  function item(keepsMarks = false): Item {
    const parts = text === undefined ? [] : [partOf(text)];
    return {
      id,
      type: "reasoning",
      summary: isSummary ? parts : [],
      ...(isSummary ? {} : { content: parts }),
      ...(showsMarks || (keepsMarks && thoughts.length > 0)
        ? { encrypted_content: thoughts.length > 0 ? sealThoughts(thoughts) : null }
        : {}),
      status: state,
    };
  }

  return {
    kind: "reasoning",
    think(piece) {
      if (text === undefined) writer.delta(`${names.part}.added`, `${here},"part":${JSON.stringify(partOf(""))}`);
      text = (text ?? "") + piece;
      writer.delta(`${names.text}.delta`, `${here},"delta":${JSON.stringify(piece)}`);
    },
    mark: (thought) => void thoughts.push(thought),
    item,
    close(ended: ItemState) {
      if (text !== undefined) {
        writer.delta(`${names.text}.done`, `${here},"text":${JSON.stringify(text)}`);
        writer.delta(`${names.part}.done`, `${here},"part":${JSON.stringify(partOf(text))}`);
      }
      state = ended;
      endItem(place, item());
    },
  };
}
