import type { ChannelMessage } from "../../../../channels/schema.ts";
import { isRecord } from "../../../lib/live/live-state.ts";

/** A document that an answer rests on, with the numbers that stand for its passages in the text. */
export interface ReplySource {
  name: string;
  numbers: number[];
}

/** What a model's answer says of itself beside its text. */
export interface ReplyNotes {
  /** It was ended before the model had. */
  isStopped: boolean;
  sources: ReplySource[];
}

export function readNotes({ meta }: Pick<ChannelMessage, "meta">): ReplyNotes {
  const { stopped, sources } = meta;
  const found = new Map<string, number[]>();
  for (const each of Array.isArray(sources) ? sources.filter(isRecord) : []) {
    const { name, number } = each;
    if (typeof name === "string" && typeof number === "number") found.set(name, [...(found.get(name) ?? []), number]);
  }
  return { isStopped: stopped === true, sources: [...found].map(([name, numbers]) => ({ name, numbers })) };
}
