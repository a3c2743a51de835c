import { newId as newUuid } from "../../lib/id.ts";
import type { CallPiece } from "../dialects/read-delta.ts";
import { createCallItem, type CallItem } from "./call-item.ts";
import { itemId, type ItemPrefix } from "./item-ids.ts";
import { createMessageItem, type MessageItem } from "./message-item.ts";
import type { ItemPlace, ItemState, OutputItem } from "./output-items.ts";
import { createReasoningItem, type ReasoningItem } from "./reasoning-item.ts";
import type { ConverterOptions } from "./responses-converter.ts";
import type { Item } from "./to-parts.ts";
import type { EventWriter } from "./write-events.ts";

/** Writes the items of a response's output as their pieces arrive. */
export interface OutputWriter {
  think(piece: string): void;
  mark(thought: Item): void;
  text(piece: string, logprobs: readonly Item[]): void;
  refuse(piece: string): void;
  annotate(annotation: Item): void;
  call(piece: CallPiece): void;
  /** Closes what is open. */
  end(state: ItemState): void;
  /** @param keepsMarks with the provider's signatures on its thoughts, even if the client did not ask for them */
  items(keepsMarks?: boolean): Item[];
}

/** A call whose name has not arrived yet. */
interface WaitingCall {
  id: string | undefined;
  held: string;
}

/**
 * Thoughts and messages are open one at a time and end when something else begins. Calls can be open in parallel,
 * because their pieces may arrive mixed (events name their item), until their arguments are complete and something else
 * begins.
 */
export function createOutputWriter(
  writer: EventWriter,
  { head, tools, isSummary, showsMarks, newId = newUuid }: ConverterOptions,
): OutputWriter {
  const responseId = String(head["id"]);
  const all: OutputItem[] = [];
  const calls = new Map<unknown, CallItem | WaitingCall>();
  const open = new Set<CallItem>();
  const usedIds = new Set<string>();
  let current: MessageItem | ReasoningItem | undefined;

  function place(prefix: ItemPrefix): ItemPlace {
    return { writer, id: itemId(prefix, responseId, "output", all.length), outputIndex: all.length };
  }

  function added<T extends OutputItem>(item: T): T {
    all.push(item);
    return item;
  }

  /** Closes what is over when something else begins. */
  function leave(): void {
    current?.close("completed");
    current = undefined;
    for (const call of open) {
      if (!call.isWhole()) continue;
      call.close("completed");
      open.delete(call);
    }
  }

  function reasoning(): ReasoningItem {
    if (current?.kind === "reasoning") return current;
    leave();
    return (current = added(createReasoningItem(place("rs"), { isSummary, showsMarks })));
  }

  function message(): MessageItem {
    if (current?.kind === "message") return current;
    leave();
    return (current = added(createMessageItem(place("msg"))));
  }

  function begin(id: string | undefined, whole: string): CallItem {
    leave();
    const isCustom = tools.custom.has(whole);
    const { namespace, name } = tools.spaced.get(whole) ?? { namespace: undefined, name: whole };
    const callId = id !== undefined && !usedIds.has(id) ? id : `call_${newId().replaceAll("-", "")}`;
    usedIds.add(callId);
    const call = added(createCallItem(place(isCustom ? "ctc" : "fc"), { callId, name, namespace, isCustom }));
    open.add(call);
    return call;
  }

  return {
    think: (piece) => reasoning().think(piece),
    mark: (thought) => reasoning().mark(thought),
    text: (piece, logprobs) => message().text(piece, logprobs),
    refuse: (piece) => message().refuse(piece),
    annotate: (annotation) => message().annotate(annotation),
    call({ key, id, name, arguments: piece }) {
      const known = calls.get(key);
      if (known && "kind" in known) {
        // What comes behind whole arguments says nothing.
        if (open.has(known)) known.pass(piece);
        return;
      }
      const waiting = { id: known?.id ?? id, held: (known?.held ?? "") + piece };
      if (name === "") {
        calls.set(key, waiting);
        return;
      }
      const call = begin(waiting.id, name);
      calls.set(key, call);
      call.pass(waiting.held);
    },
    end(state) {
      current?.close(state);
      current = undefined;
      for (const call of open) call.close(state === "completed" || call.isWhole() ? "completed" : state);
      open.clear();
    },
    items: (keepsMarks) => all.map((each) => each.item(keepsMarks)),
  };
}
