import { DocumentError } from "../document.ts";
import { Attributes, decodeEntities } from "./attributes.ts";

/**
 * The events of the XML parser. Names come without prefixes, because files of all producers use the same local names.
 */
export interface XmlHandler {
  open(name: string, attributes: Attributes): void;
  close(name: string): void;
  /** Text as it comes, possibly in several pieces. */
  text(text: string): void;
}

/** Longest tag, comment and the like. */
const maxTokenLength = 2e6;
const maxDepth = 2000;

/**
 * Parses XML as it arrives, without storing it. Only the five entities of XML and numeric characters are decoded:
 * entities declared in the document are not expanded, so it cannot grow. Yields after each piece of input, so that the
 * caller can take results.
 *
 * saxes 6.0.0 was measured and not used. A sheet of 21 MB takes 0.34 s of CPU there (0.51 s with namespaces) and 0.27 s here. It
 * reports a text only when all of it is there, and one unclosed tag of 100 MB takes 1 GB of memory.
 * @throws DocumentError file_corrupt if it is not well-formed, file_too_complex if it is nested too deep
 */
export function* readXml(bytes: Iterable<Uint8Array>, handler: XmlHandler): Generator<void, undefined> {
  const parser = new XmlParser(handler);
  let decoder: TextDecoder | undefined;
  for (const piece of bytes) {
    decoder ??= new TextDecoder(findEncoding(piece));
    parser.push(decoder.decode(piece, { stream: true }));
    yield;
  }
  if (decoder) parser.push(decoder.decode());
  parser.end();
}

/** The same for text that is pushed: `push` it, then `end`. */
export class XmlParser {
  readonly #handler: XmlHandler;
  readonly #open: string[] = [];
  #rest = "";

  constructor(handler: XmlHandler) {
    this.#handler = handler;
  }

  push(text: string): void {
    const all = this.#rest === "" ? text : this.#rest + text;
    let at = 0;
    while (at < all.length) {
      const tag = all.indexOf("<", at);
      if (tag !== at) {
        const end = tag < 0 ? endOfText(all, at) : tag;
        if (end > at) this.#text(all.slice(at, end), true);
        at = end;
        if (tag < 0) break;
      }
      const next = this.#token(all, at);
      if (next < 0) break;
      at = next;
    }
    this.#rest = all.slice(at);
    if (this.#rest.length > maxTokenLength)
      throw new DocumentError("file_corrupt", "It is damaged: a tag is not closed");
  }

  end(): void {
    if (this.#open.length > 0 || this.#rest.trimStart().startsWith("<"))
      throw new DocumentError("file_corrupt", "It is damaged: one of its parts is incomplete");
  }

  /** Returns where the next one begins, or -1 where this one is not complete yet. */
  #token(all: string, at: number): number {
    if (all.startsWith("<!--", at)) return after(all, "-->", at + 4);
    if (all.startsWith("<![CDATA[", at)) {
      const end = all.indexOf("]]>", at + 9);
      if (end >= 0) this.#text(all.slice(at + 9, end), false);
      return end < 0 ? -1 : end + 3;
    }
    if (all.startsWith("<?", at)) return after(all, "?>", at + 2);
    if (all.length - at < 9 && "<![CDATA[".startsWith(all.slice(at))) return -1;
    if (all.startsWith("<!", at)) return afterDeclaration(all, at);
    const end = findTagEnd(all, at + 1);
    if (end < 0) return -1;
    if (all.charCodeAt(at + 1) === 47) this.#close(localName(all.slice(at + 2, end).trimEnd()));
    else this.#tag(all.slice(at + 1, end));
    return end + 1;
  }

  #tag(tag: string): void {
    const isEmpty = tag.endsWith("/");
    const content = isEmpty ? tag.slice(0, -1) : tag;
    const space = content.search(/\s/);
    const name = localName(space < 0 ? content : content.slice(0, space));
    if (name === "") throw notWellFormed();
    if (this.#open.length >= maxDepth) throw new DocumentError("file_too_complex", "Its parts are nested too deep");
    this.#open.push(name);
    this.#handler.open(name, new Attributes(space < 0 ? "" : content.slice(space)));
    if (isEmpty) this.#close(name);
  }

  #close(name: string): void {
    if (this.#open.pop() !== name) throw notWellFormed();
    this.#handler.close(name);
  }

  #text(text: string, isEscaped: boolean): void {
    if (this.#open.length > 0) this.#handler.text(isEscaped ? decodeEntities(text) : text);
  }
}

/** Text may be handed on as it comes, but not half an entity. */
function endOfText(all: string, at: number): number {
  const entity = all.lastIndexOf("&");
  return entity >= at && all.length - entity < 16 && !all.includes(";", entity) ? entity : all.length;
}

function after(all: string, end: string, from: number): number {
  const at = all.indexOf(end, from);
  return at < 0 ? -1 : at + end.length;
}

/** `<!DOCTYPE ...>`, with or without declarations of its own in brackets. */
function afterDeclaration(all: string, at: number): number {
  const end = all.indexOf(">", at);
  const bracket = all.indexOf("[", at);
  if (bracket < 0 || (end >= 0 && end < bracket)) return end < 0 ? -1 : end + 1;
  const close = all.indexOf("]", bracket);
  return close < 0 ? -1 : after(all, ">", close);
}

/** The `>` of a tag: one in quotes is part of a value. */
function findTagEnd(all: string, from: number): number {
  for (let at = from; at < all.length; at += 1) {
    const code = all.charCodeAt(at);
    if (code === 62) return at;
    if (code !== 34 && code !== 39) continue;
    at = all.indexOf(code === 34 ? '"' : "'", at + 1);
    if (at < 0) return -1;
  }
  return -1;
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

function notWellFormed(): DocumentError {
  return new DocumentError("file_corrupt", "It is damaged: one of its parts is not well-formed");
}

function findEncoding(first: Uint8Array): string {
  if (first[0] === 0xff && first[1] === 0xfe) return "utf-16le";
  if (first[0] === 0xfe && first[1] === 0xff) return "utf-16be";
  const declared = /^<\?xml[^>]*encoding=["']([\w.-]+)["']/.exec(
    new TextDecoder("latin1").decode(first.subarray(0, 200)),
  );
  try {
    return new TextDecoder(declared?.[1] ?? "utf-8").encoding;
  } catch {
    return "utf-8";
  }
}
