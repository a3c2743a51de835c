import { createJsonEnd, type JsonEnd } from "../../lib/json-end.ts";

/** The fields of a tool call fragment that identify its call. */
export interface CallFragment {
  index: unknown;
  id: string;
  name: string;
  args: string;
}

/** A call that has begun. */
export interface KnownCall {
  /** Its index in order of beginning. */
  position: number;
  /** As sent by the upstream; empty until they arrive. */
  id: string;
  name: string;
  /** Up to `longestKept`, then only its beginning. */
  arguments: string;
  /** Whether any of it was sent to the caller. */
  isOpen: boolean;
}

export interface CallFinder {
  /**
   * The call of the fragment, with what it adds to the arguments; undefined if it is a repetition, or if there are too
   * many calls.
   * @param taken named calls of other entries in the same list; the call found is added
   */
  find(fragment: CallFragment, taken: Set<KnownCall>): { call: KnownCall; added: string } | undefined;
  readonly calls: readonly KnownCall[];
}

interface Slot extends KnownCall {
  index: unknown;
  end: JsonEnd;
  isLong: boolean;
  /** It came with an empty object, which counts only where no other follows. */
  isEmpty: boolean;
}

/** Arguments are kept to tell repetitions, UTF-16 units. */
const maxKeptLength = 65_536;

/**
 * Assigns fragments of tool calls to calls: by id, if present (some upstreams give all calls the same one: a name under
 * another index then begins another), otherwise by `index`. A fragment with a new id and a name is a new call even
 * under a used index (Gemini numbers every parallel call 0); one with neither id nor index continues the last unless it
 * has another name; a name after complete arguments begins another call, unless it is a repetition. Two named entries
 * of one list are two calls.
 */
export function createCallFinder(maxCalls: number): CallFinder {
  const slots: Slot[] = [];

  function candidateOf({ index, id, name }: CallFragment): Slot | undefined {
    const sameId = id === "" ? [] : slots.filter((slot) => slot.id === id);
    if (sameId.length > 0) {
      const here = sameId.findLast((slot) => index === undefined || slot.index === undefined || slot.index === index);
      // Without a name it is no other call.
      return here ?? (name === "" ? sameId.at(-1) : undefined);
    }
    const candidate = index === undefined ? slots.at(-1) : slots.findLast((slot) => slot.index === index);
    if (!candidate) return undefined;
    const startsAnother =
      (id !== "" && candidate.id !== "" && (name !== "" || index === undefined)) ||
      (id === "" && index === undefined && name !== "" && name !== candidate.name && candidate.name !== "");
    return startsAnother ? undefined : candidate;
  }

  function begin({ index, id }: CallFragment): Slot | undefined {
    if (slots.length >= maxCalls) return undefined;
    const slot: Slot = {
      position: slots.length,
      index,
      id,
      name: "",
      arguments: "",
      isOpen: false,
      isLong: false,
      isEmpty: false,
      end: createJsonEnd(),
    };
    slots.push(slot);
    return slot;
  }

  /** Some begin with an empty object and let the real one follow: what the fragment adds to the arguments. */
  function addTo(slot: Slot, { id, name, args }: CallFragment): string {
    if (slot.id === "") slot.id = id;
    // The name comes whole, once; upstreams that repeat it with each fragment must not double it.
    if (slot.name === "") slot.name = name;
    if (slot.arguments === "" && args.trim() === "{}") {
      slot.isEmpty = true;
      return "";
    }
    slot.end.add(args);
    if (slot.arguments.length + args.length > maxKeptLength && slot.isOpen) slot.isLong = true;
    else slot.arguments += args;
    return args;
  }

  return {
    calls: slots,
    find(fragment, taken) {
      const { name, args } = fragment;
      let slot = candidateOf(fragment);
      if (slot && name !== "" && taken.has(slot)) slot = undefined;
      // What follows whole arguments cannot go on with them.
      else if (slot && name !== "" && (slot.end.isWhole() || slot.isEmpty) && args.trimStart().startsWith("{")) {
        if (!slot.isLong && (slot.arguments || "{}") === args) return undefined;
        slot = undefined;
      }
      slot ??= begin(fragment);
      if (!slot) return undefined;
      if (name !== "") taken.add(slot);
      return { call: slot, added: addTo(slot, fragment) };
    },
  };
}
