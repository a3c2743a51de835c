import { tryParseJson } from "../../lib/json.ts";

/**
 * One server-sent event. `data` is the joined data lines; `name` is the `event:` field or "". `canonical`: the event's
 * text was exactly `data: ` + data + two line feeds.
 */
export interface SplitEvent {
  data: string;
  name: string;
  canonical: boolean;
}

export interface EventSplitterOptions {
  /**
   * Maximum length of an event or line, in UTF-16 units; a longer one is reported to `onOverflow`, once, and ends the
   * splitting.
   */
  maxLength: number;
  /** Called for each event in order; `false` ends the splitting. */
  onEvent: (event: SplitEvent) => boolean;
  onOverflow: () => void;
  /** Consumes events that it recognizes, from the start of one; returns where it stopped. */
  skim?: ((text: string, at: number) => number) | undefined;
}

export interface EventSplitter {
  push(text: string): void;
  /** The text has ended: an event without its final blank line is reported too. */
  end(): void;
  /** Whether nothing is buffered, so that the next text starts a new event. */
  idle(): boolean;
}

/**
 * Splits text into server-sent events (WHATWG HTML, 9.2.6), with line ends LF, CR and CRLF, cut anywhere.
 * `eventsource-parser` is not used because it returns only values: whether an event may be forwarded unchanged can be
 * decided only from its frame. In addition to the standard it supports three habits of upstreams: a JSON document on
 * separate lines without `data:` (an error printed into a stream, JSON lines), a new object on the next `data:` line
 * without a blank line in between, and a last event without its blank line.
 */
export function createEventSplitter(options: EventSplitterOptions): EventSplitter {
  const { maxLength, onEvent, onOverflow, skim } = options;
  /** Text of an unfinished line in pieces: joining each time would be quadratic. */
  let pieces: string[] = [];
  let piecesLength = 0;
  let dataLines: string[] = [];
  let bareLines: string[] = [];
  let linesLength = 0;
  let name = "";
  let skipLineFeed = false;
  let stopped = false;

  function keep(text: string): void {
    if (text === "") return;
    pieces.push(text);
    piecesLength += text.length;
    if (piecesLength > maxLength) overflow();
  }

  function overflow(): void {
    stopped = true;
    pieces = [];
    dataLines = [];
    bareLines = [];
    onOverflow();
  }

  function report(data: string, eventName: string, canonical: boolean): void {
    if (!onEvent({ data, name: eventName, canonical })) stopped = true;
  }

  function dispatch(): void {
    const lines = dataLines.length > 0 ? dataLines : bareLines;
    const eventName = name;
    dataLines = [];
    bareLines = [];
    linesLength = 0;
    name = "";
    if (lines.length > 0) report(lines.join("\n"), eventName, false);
  }

  function addLine(lines: string[], line: string): void {
    lines.push(line);
    linesLength += line.length + 1;
    if (linesLength > maxLength) overflow();
  }

  function readDataLine(value: string): void {
    const previous = dataLines.at(-1);
    // "}" then "{" or "[" on the next line is never inside one JSON document: a comma would have to stand between.
    if (previous?.trimEnd().endsWith("}") && /^\s*[{[]/.test(value)) dispatch();
    if (!stopped) addLine(dataLines, value);
  }

  function readBareLine(line: string): void {
    addLine(bareLines, line);
    const first = line.trimStart()[0];
    const mayClose = bareLines.length === 1 ? /[}\]]\s*$/.test(line) : first === "}" || first === "]";
    if (!mayClose || stopped) return;
    if (line.trim() === "[DONE]" || tryParseJson(bareLines.join("\n")) !== undefined) dispatch();
  }

  function readLine(line: string): void {
    if (line === "") return dispatch();
    if (line.startsWith(":")) return;
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    if (bareLines.length > 0 && field !== "data") return readBareLine(line);
    if (bareLines.length > 0) dispatch();
    if (stopped) return;
    if (dataLines.length === 0 && /^\s*[{[]/.test(line)) return readBareLine(line);
    const start = line[colon + 1] === " " ? colon + 2 : colon + 1;
    const value = colon === -1 ? "" : line.slice(start);
    if (field === "data") readDataLine(value);
    else if (field === "event") name = value;
  }

  function push(added: string): void {
    if (stopped || added === "") return;
    let text = added;
    if (pieces.length > 0) {
      if (!/[\n\r]/.test(added)) return keep(added);
      text = pieces.join("") + added;
      pieces = [];
      piecesLength = 0;
    }
    let at = 0;
    if (skipLineFeed && text.startsWith("\n")) at = 1;
    skipLineFeed = false;
    const onlyLineFeeds = !text.includes("\r");

    while (at < text.length && !stopped) {
      const fresh = dataLines.length === 0 && bareLines.length === 0 && name === "";
      if (skim && fresh && onlyLineFeeds) {
        at = skim(text, at);
        if (at === text.length) return;
      }
      const lineFeed = text.indexOf("\n", at);
      if (onlyLineFeeds) {
        if (lineFeed === -1) return keep(text.slice(at));
        if (fresh && text.startsWith("data: ", at)) {
          if (lineFeed + 1 === text.length) return keep(text.slice(at));
          if (text.charCodeAt(lineFeed + 1) === 10) {
            report(text.slice(at + 6, lineFeed), "", true);
            at = lineFeed + 2;
            continue;
          }
        }
        const line = text.slice(at, lineFeed);
        at = lineFeed + 1;
        readLine(line);
        continue;
      }
      const carriageReturn = text.indexOf("\r", at);
      const useReturn = carriageReturn !== -1 && (lineFeed === -1 || carriageReturn < lineFeed);
      const end = useReturn ? carriageReturn : lineFeed;
      if (end === -1) return keep(text.slice(at));
      const line = text.slice(at, end);
      at = end + 1;
      if (useReturn) {
        if (at === text.length) skipLineFeed = true;
        else if (text.charCodeAt(at) === 10) at += 1;
      }
      readLine(line);
    }
  }

  return {
    push,
    end: () => push("\n\n"),
    idle() {
      return pieces.length === 0 && dataLines.length === 0 && bareLines.length === 0 && name === "" && !skipLineFeed;
    },
  };
}
