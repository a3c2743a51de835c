import { createJsonEnd, type JsonEnd } from "../../lib/json-end.ts";
import type { CallPiece } from "../dialects/read-delta.ts";
import { deltaFrame, frame } from "./event-frames.ts";

/** Writes content blocks one after another, even if their pieces arrive mixed. `emit` gets the events of each call. */
export interface BlockWriter {
  text(piece: string): void;
  thinking(piece: string): void;
  /** Ends the current thought with the provider's signature. */
  sign(signature: string): void;
  redacted(data: unknown): void;
  call(piece: CallPiece): void;
  /** Closes what is open; nothing may follow. */
  end(): void;
  /** How many tool calls there are. */
  calls(): number;
  /** Length of what waits for its turn, in UTF-16 units. */
  waiting(): number;
}

interface Common {
  /** What waits to be told. */
  held: string;
  isOpen: boolean;
}
interface Words extends Common {
  kind: "text" | "thinking";
  isSealed: boolean;
}
interface Redacted extends Common {
  kind: "redacted";
  data: unknown;
}
interface Call extends Common {
  kind: "call";
  id: string | undefined;
  name: string;
  end: JsonEnd;
}
type Block = Words | Redacted | Call;

const blank = /^\s*$/;

/**
 * Turns the pieces of an answer into blocks: contiguous indices from 0, one kind each, one open at a time.  The first
 * unfinished block is sent as it arrives; pieces of others are buffered. A text or a thought ends when something else
 * begins, a call when its arguments are complete JSON. Blocks of only white space are left out, because native
 * providers reject them in the next request.
 * @param newId makes the id of a call that has none
 */
export function createBlockWriter(emit: (frames: string) => void, newId: () => string): BlockWriter {
  const queue: Block[] = [];
  const called = new Map<unknown, Call>();
  const usedIds = new Set<string>();
  /** White space that may be the beginning of a block. */
  let space: { kind: "text" | "thinking"; text: string } | undefined;
  let index = 0;
  let waiting = 0;

  function write(block: Block, piece: string): void {
    if (block === queue[0]) tell(block, piece);
    else {
      block.held += piece;
      waiting += piece.length;
    }
    advance();
  }

  /** Of the first block of the queue. */
  function tell(block: Block, piece: string): void {
    if (!block.isOpen && !open(block)) {
      block.held += piece;
      return;
    }
    if (piece === "") return;
    const text = JSON.stringify(piece);
    if (block.kind === "text") emit(deltaFrame(index, `{"type":"text_delta","text":${text}}`));
    else if (block.kind === "thinking") emit(deltaFrame(index, `{"type":"thinking_delta","thinking":${text}}`));
    else emit(deltaFrame(index, `{"type":"input_json_delta","partial_json":${text}}`));
  }

  /** Whether it is open now: a call is opened with its name only. */
  function open(block: Block, isLast = false): boolean {
    if (block.kind === "call" && block.name === "" && !isLast) return false;
    block.isOpen = true;
    emit(frame("content_block_start", { index, content_block: startOf(block) }));
    const { held } = block;
    block.held = "";
    if (held !== "") tell(block, held);
    return true;
  }

  function startOf(block: Block): Record<string, unknown> {
    if (block.kind === "call") return { type: "tool_use", id: idOf(block.id), name: block.name, input: {} };
    if (block.kind === "redacted") return { type: "redacted_thinking", data: block.data };
    if (block.kind === "text") return { type: "text", text: "" };
    return { type: "thinking", thinking: "", signature: "" };
  }

  /** The dialect restricts the characters of ids and requires unique ids. */
  function idOf(given: string | undefined): string {
    const id = given?.replace(/[^\w-]/g, "_");
    const unique = id && !usedIds.has(id) ? id : newId();
    usedIds.add(unique);
    return unique;
  }

  function isOver(block: Block): boolean {
    return block.kind !== "call" || block.end.isWhole();
  }

  function advance(): void {
    while (queue.length > 1 && isOver(queue[0]!)) next();
  }

  /** Closes the first block and starts the next one. */
  function next(): void {
    const block = queue.shift()!;
    if (!block.isOpen) open(block, true);
    emit(frame("content_block_stop", { index }));
    index += 1;
    const [following] = queue;
    if (!following) return;
    waiting -= following.held.length;
    open(following);
  }

  function add(block: Block): void {
    queue.push(block);
    if (queue.length === 1) open(block);
    else advance();
  }

  function addText(kind: "text" | "thinking", piece: string): void {
    if (piece === "") return;
    const last = queue.at(-1);
    if (last?.kind === kind && !last.isSealed) return write(last, piece);
    if (blank.test(piece)) {
      space = { kind, text: (space?.kind === kind ? space.text : "") + piece };
      return;
    }
    const held = (space?.kind === kind ? space.text : "") + piece;
    space = undefined;
    waiting += queue.length > 0 ? held.length : 0;
    add({ kind, held, isOpen: false, isSealed: false });
  }

  function sign(signature: string): void {
    let last = queue.at(-1);
    if (last?.kind !== "thinking" || last.isSealed) {
      // A thought that is not shown has its mark all the same.
      last = { kind: "thinking", held: "", isOpen: false, isSealed: false };
      add(last);
    }
    last.isSealed = true;
    if (last !== queue[0]) return;
    emit(deltaFrame(index, `{"type":"signature_delta","signature":${JSON.stringify(signature)}}`));
  }

  function call({ key, id, name, arguments: piece = "" }: CallPiece): void {
    space = undefined;
    let block = called.get(key);
    if (!block) {
      block = { kind: "call", held: "", isOpen: false, id, name: name ?? "", end: createJsonEnd() };
      called.set(key, block);
      block.end.add(piece);
      block.held = piece;
      waiting += queue.length > 0 ? piece.length : 0;
      return add(block);
    }
    if (!block.isOpen) {
      block.id ??= id;
      if (block.name === "" && name) block.name = name;
    }
    // A call that is closed already was whole.
    if (!queue.includes(block)) return;
    block.end.add(piece);
    write(block, piece);
  }

  return {
    text: (piece) => addText("text", piece),
    thinking: (piece) => addText("thinking", piece),
    sign,
    redacted: (data) => add({ kind: "redacted", held: "", isOpen: false, data }),
    call,
    end() {
      while (queue.length > 0) next();
    },
    calls() {
      return called.size;
    },
    waiting() {
      return waiting;
    },
  };
}
