import { isRecord, tryParseJson } from "../../../lib/json.ts";

/**
 * Turns a function's yielded values into the events of a chat-completions stream; irregularities are repaired later.
 */
export interface PipeFrames {
  /**
   * One value: text, a chunk, or (parts of) lines of an event stream.
   * @returns frames for it, and events for tabs that it contained (`{"event": {type, data}}`)
   */
  add(value: unknown): { frames: string; events: unknown[] };
  /** The function has ended without error. */
  end(): string;
}

/** Values that come after such a line are lines too. */
const dataLine = /^data:\s*(?:[{[]|$)/;
const anyLine = /^[\r\n]*(?:data:|event:|id:|retry:|:|\s*$)/;

export function createPipeFrames(): PipeFrames {
  /** Lines of an event stream have come. */
  let isStream = false;
  /** They are cut anywhere. */
  let isCut = false;
  /** A line of which only the beginning has come. */
  let tail = "";
  /** The last line was whole, but not all of its end has come: what begins with one is more of the stream. */
  let isOpen = false;
  /** What may be the first letters of a line, or text. */
  let begun = "";
  /** What may be a comment before the first line of an event stream, or text. */
  let held = "";
  let isDone = false;
  let hasSpoken = false;
  let events: unknown[] = [];

  function frame(data: string): string {
    return `data: ${data}\n\n`;
  }

  function addObject(value: Record<string, unknown>, own?: string): string {
    if (Array.isArray(value["choices"])) {
      hasSpoken = true;
      return frame(own ?? JSON.stringify(value));
    }
    if (isRecord(value["event"])) {
      events.push(value["event"]);
      return "";
    }
    const text = textIn(value);
    return text === undefined ? frame(own ?? JSON.stringify(value)) : addText(text);
  }

  function addText(text: string): string {
    const content = held + begun + text;
    if (content === "") return "";
    hasSpoken = true;
    held = "";
    begun = "";
    return frame(JSON.stringify({ choices: [{ index: 0, delta: { content } }] }));
  }

  function addLine(line: string): string {
    if (isDone || !line.startsWith("data:")) return "";
    const data = line.slice(5).trim();
    if (data === "") return "";
    if (data === "[DONE]") {
      isDone = true;
      return "";
    }
    const value = tryParseJson(data);
    return isRecord(value) ? addObject(value, data) : frame(data);
  }

  /** Pieces may be cut anywhere, or be lines without their ends. */
  function addStream(text: string): string {
    const lines = text.split(/\r?\n/);
    tail = lines.pop()!;
    let frames = lines.map(addLine).join("");
    const data = /^data:\s*(.*)$/s.exec(tail)?.[1];
    const isWhole = data === "[DONE]" || (data !== undefined && tryParseJson(data) !== undefined);
    isOpen = isWhole || /[^\r\n]\r?\n$/.test(text) || (isOpen && /^[\r\n]+$/.test(text));
    if (isWhole) {
      frames += addLine(tail);
      tail = "";
    }
    if (tail !== "") isCut = true;
    return frames;
  }

  function addString(given: string): string {
    if (isDone) return "";
    const text = begun + given;
    begun = "";
    if (isStream && !isCut && text !== "" && "data:".startsWith(text) && text !== "data:") {
      begun = text;
      return "";
    }
    if (dataLine.test(text)) {
      isStream = true;
      held = "";
      // A new line begins, so the one before will never be whole.
      const before = tail === "" ? "" : addLine(tail);
      return before + addStream(text);
    }
    if (isCut) return addStream(tail + text);
    if (isStream) return anyLine.test(text) || (isOpen && /^[\r\n]/.test(text)) ? addStream(text) : addText(text);
    if (!hasSpoken && (held + text).startsWith(":")) {
      held += text;
      return "";
    }
    return addText(text);
  }

  function addValue(value: unknown): string {
    if (typeof value === "string") return addString(value);
    if (Array.isArray(value)) return value.map(addValue).join("");
    if (isRecord(value)) return isDone ? "" : (begun === "" ? "" : addText("")) + addObject(value);
    return value === null || value === undefined ? "" : addString(String(value));
  }

  return {
    add(value) {
      events = [];
      const frames = addValue(value);
      return { frames, events };
    },
    end() {
      const comment = held;
      held = "";
      const rest = (tail === "" ? "" : addLine(tail)) + addText(comment);
      tail = "";
      const opening = hasSpoken ? "" : frame('{"choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}');
      return `${rest}${opening}data: [DONE]\n\n`;
    },
  };
}

/** The text in an object that is not a chunk, as several services return. */
export function textIn(value: Record<string, unknown>): string | undefined {
  const { message } = value;
  const found = [
    isRecord(message) ? message["content"] : undefined,
    value["content"],
    value["response"],
    value["text"],
  ];
  return found.find((each) => typeof each === "string");
}

/** Whether a whole text is an event stream. */
export function isEventStream(text: string): boolean {
  return dataLine.test(text) && /^data:\s*[{[]/.test(text);
}
