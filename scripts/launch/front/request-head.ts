import { Refusal } from "./refusal.ts";

/** A header line: `name` in lower case, `line` as it came. */
interface Field {
  name: string;
  value: string;
  line: string;
}

/** The head of a request in HTTP/1.0 or 1.1 (RFC 9112). */
export interface RequestHead {
  method: string;
  /** Path and query, or `*`. */
  target: string;
  version: "1.0" | "1.1";
  /** Undefined only in HTTP/1.0. */
  host: string | undefined;
  fields: readonly Field[];
  /** How long the body is: bytes, or chunks until the last one. */
  length: number | "chunked";
  /** Asks for a WebSocket. */
  upgrades: boolean;
}

const token = /^[!#$%&'*+.^_`|~\w-]+$/;
const notInTarget = /[^\x21-\x7e\x80-\xff]/;
const notInValue = /[^\t\x20-\x7e\x80-\xff]/;
const host = /^(?:[a-z\d._~-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** Whether it is `name`, `name:port` or an address in the same form. */
export function isHost(text: string): boolean {
  return host.test(text);
}

/**
 * Strict: what two servers could read in different ways is refused, so that no request can hide in another one.
 * @param text the head as Latin-1, without the empty line at its end
 * @throws Refusal
 */
export function parseHead(text: string): RequestHead {
  const [first, ...lines] = text.split("\r\n");
  const fields = lines.map(parseField);
  const [method = "", asked = "", protocol = "", ...more] = first!.split(" ");
  if (!token.test(method) || asked === "" || notInTarget.test(asked) || more.length > 0)
    throw new Refusal(400, "The first line of the request is not of the form: method, address, version.");
  if (protocol !== "HTTP/1.1" && protocol !== "HTTP/1.0")
    throw new Refusal(protocol.startsWith("HTTP/") ? 505 : 400, "Only HTTP/1.1 and HTTP/1.0 are understood.");
  const version = protocol === "HTTP/1.1" ? "1.1" : "1.0";
  const named = readHost(fields, version);
  const length = readLength(fields, version);
  const upgrades = valuesOf(fields, "upgrade").some((value) => /\bwebsocket\b/i.test(value));
  if (upgrades && length !== 0) throw new Refusal(400, "A request for a WebSocket cannot have a body.");
  return { method, target: readTarget(method, asked, named), version, host: named, fields, length, upgrades };
}

export function valuesOf(fields: readonly Field[], name: string): string[] {
  return fields.filter((field) => field.name === name).map((field) => field.value);
}

/** Lists may be written as several lines or as one with commas. */
export function listOf(head: RequestHead, name: string): string[] {
  return valuesOf(head.fields, name).flatMap((value) => value.split(",").map((part) => part.trim()));
}

function parseField(line: string): Field {
  if (line.startsWith(" ") || line.startsWith("\t"))
    throw new Refusal(400, "A header goes on in the next line, which is no longer allowed.");
  const colon = line.indexOf(":");
  const name = line.slice(0, Math.max(colon, 0));
  if (!token.test(name)) throw new Refusal(400, "A header line is not of the form: name, colon, value.");
  const value = trimmed(line, colon + 1);
  if (notInValue.test(value)) throw new Refusal(400, `The header ${name} has a control character.`);
  return { name: name.toLowerCase(), value, line };
}

/** Spaces and tabs only: `trim` takes more. */
function trimmed(line: string, from: number): string {
  let start = from;
  let end = line.length;
  const isBlank = (at: number) => line[at] === " " || line[at] === "\t";
  while (start < end && isBlank(start)) start++;
  while (end > start && isBlank(end - 1)) end--;
  return line.slice(start, end);
}

function readHost(fields: readonly Field[], version: string): string | undefined {
  const hosts = valuesOf(fields, "host");
  if (hosts.length > 1) throw new Refusal(400, "The request has more than one Host header.");
  const [only] = hosts;
  if (only === undefined && version === "1.1") throw new Refusal(400, "The request has no Host header.");
  if (only !== undefined && !isHost(only)) throw new Refusal(400, "The Host header is not a host name or address.");
  return only;
}

/** Clients that take this for a proxy write the whole URL; it must say the same as `Host`. */
function readTarget(method: string, asked: string, named: string | undefined): string {
  if (asked.startsWith("/") || (asked === "*" && method === "OPTIONS")) return asked;
  const [, authority, rest] = /^https?:\/\/([^/?#]*)(.*)$/i.exec(asked) ?? [];
  if (authority === undefined || rest === undefined)
    throw new Refusal(400, "The address in the first line does not begin with a slash.");
  if (authority.toLowerCase() !== named?.toLowerCase())
    throw new Refusal(400, "The address in the first line names another host than the Host header.");
  return rest.startsWith("/") ? rest : `/${rest}`;
}

function readLength(fields: readonly Field[], version: string): number | "chunked" {
  const lengths = valuesOf(fields, "content-length");
  const encodings = valuesOf(fields, "transfer-encoding");
  if (encodings.length > 0) {
    if (lengths.length > 0) throw new Refusal(400, "The request has both Content-Length and Transfer-Encoding.");
    if (version === "1.0") throw new Refusal(400, "HTTP/1.0 has no Transfer-Encoding.");
    if (encodings.length > 1 || encodings[0]!.toLowerCase() !== "chunked")
      throw new Refusal(400, "The only Transfer-Encoding of a request is chunked.");
    return "chunked";
  }
  if (lengths.length > 1) throw new Refusal(400, "The request has more than one Content-Length header.");
  const [length = "0"] = lengths;
  if (!/^\d{1,15}$/.test(length)) throw new Refusal(400, "Content-Length is not a number of bytes.");
  return Number(length);
}
