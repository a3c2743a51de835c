import { analyse } from "chardet";
import { guessUtf16 } from "../../src/documents/files/utf16.ts";
import { joinBytes } from "../../src/lib/join-bytes.ts";

/** So much is decoded at once, in bytes: what comes in smaller pieces is not put together, what comes in larger ones is cut. */
const pieceLength = 65_536;

/** Labels of chardet that TextDecoder does not know, or knows under another name. */
const labels: Record<string, string> = {
  "ISO-8859-8-I": "iso-8859-8",
  ASCII: "windows-1252",
  "ISO-8859-1": "windows-1252",
};

/**
 * The text of bytes in a charset that nobody named: by a byte order mark; else UTF-8 as long as it is; else what their letters
 * look like. Never fails: what is wrong in UTF-8 that was right so far becomes U+FFFD. NULs are left out, line ends become "\n".
 * @param charset what is known of it from elsewhere (a header, a declaration)
 */
export async function* decodeText(
  bytes: AsyncIterable<Uint8Array>,
  charset?: string,
): AsyncGenerator<string, undefined> {
  const decoder = new TextSource(charset);
  for await (const piece of bytes) {
    for (let at = 0; at < piece.length; at += pieceLength) {
      const text = decoder.decode(piece.subarray(at, at + pieceLength));
      if (text !== "") yield text;
    }
  }
  const rest = decoder.end();
  if (rest !== "") yield rest;
}

class TextSource {
  /** Once it is certain. */
  #decoder: TextDecoder | undefined;
  /** Bytes of a character that is not complete yet. */
  #rest: Uint8Array = new Uint8Array();
  /** Whether marks of its beginning were looked for. */
  #isBegun = false;
  #endsInReturn = false;
  readonly #declared: TextDecoder | undefined;

  constructor(charset: string | undefined) {
    this.#declared = charset === undefined ? undefined : openDecoder(charset);
  }

  decode(piece: Uint8Array): string {
    if (this.#decoder) return this.#tidy(this.#decoder.decode(piece, { stream: true }));
    const bytes = this.#rest.length === 0 ? piece : joinBytes([this.#rest, piece]);
    if (!this.#isBegun) {
      if (bytes.length < 4) {
        this.#rest = bytes.slice();
        return "";
      }
      this.#isBegun = true;
      this.#decoder = openMarked(bytes) ?? this.#declared ?? openUnmarked(bytes);
      if (this.#decoder) {
        this.#rest = new Uint8Array();
        return this.#tidy(this.#decoder.decode(bytes, { stream: true }));
      }
    }
    const end = completeLength(bytes);
    this.#rest = bytes.slice(end);
    return this.#tidy(this.#read(bytes.subarray(0, end)));
  }

  end(): string {
    if (this.#decoder) return this.#tidy(this.#decoder.decode(), true);
    const rest = this.#rest;
    this.#decoder = this.#isBegun ? undefined : this.#declared;
    if (this.#decoder) return this.#tidy(this.#decoder.decode(rest), true);
    this.#rest = new Uint8Array();
    return this.#tidy(rest.length === 0 ? "" : this.#read(rest), true);
  }

  #read(bytes: Uint8Array): string {
    const text = decodeStrictly(bytes);
    // Nothing but ASCII may be the beginning of anything.
    if (text?.length === bytes.length && !bytes.includes(escape)) return text;
    const isUtf8 = text === undefined ? isMostlyUtf8(bytes) : text.length < bytes.length;
    this.#decoder = openDecoder(isUtf8 ? "utf-8" : guess(bytes)) ?? new TextDecoder("windows-1252");
    const all = joinBytes([bytes, this.#rest]);
    this.#rest = new Uint8Array();
    return this.#decoder.decode(all, { stream: true });
  }

  #tidy(decoded: string, isLast = false): string {
    let text = this.#endsInReturn ? `\r${decoded}` : decoded;
    this.#endsInReturn = !isLast && text.endsWith("\r");
    if (this.#endsInReturn) text = text.slice(0, -1);
    if (text.includes("\r")) text = text.replaceAll(/\r\n?/g, "\n");
    return text.includes("\0") ? text.replaceAll("\0", "") : text;
  }
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
/** Begins what changes the meaning of the letters behind it, in some charsets. */
const escape = 0x1b;

function openDecoder(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(labels[label.toUpperCase()] ?? label, { fatal: false, ignoreBOM: true });
  } catch {
    return undefined;
  }
}

/** By a byte order mark. */
function openMarked(bytes: Uint8Array): TextDecoder | undefined {
  const [a, b, c] = bytes;
  // These take the mark away.
  if (a === 0xef && b === 0xbb && c === 0xbf) return new TextDecoder("utf-8");
  if (a === 0xff && b === 0xfe) return new TextDecoder("utf-16le");
  if (a === 0xfe && b === 0xff) return new TextDecoder("utf-16be");
  return undefined;
}

/** By the NULs that texts in Latin letters have in UTF-16. */
function openUnmarked(bytes: Uint8Array): TextDecoder | undefined {
  const utf16 = guessUtf16(bytes);
  return utf16 && new TextDecoder(utf16);
}

/** The most likely charset by the letters in it. */
function guess(bytes: Uint8Array): string {
  return analyse(bytes.subarray(0, 65_536))[0]?.name ?? "windows-1252";
}

function decodeStrictly(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

/** With a few mistakes in it: one text cut into another, a sender that counted bytes for characters. */
function isMostlyUtf8(bytes: Uint8Array): boolean {
  let wrong = 0;
  let right = 0;
  for (const character of new TextDecoder("utf-8").decode(bytes)) {
    if (character === "\ufffd") wrong++;
    else if (character > "\x7f") right++;
  }
  return right > wrong * 4;
}

/** How much of it ends in a whole character, were it UTF-8. */
function completeLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
