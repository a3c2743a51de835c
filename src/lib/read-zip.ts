import { utf8Text } from "./utf8.ts";

/** Why a zip file cannot be read, in words for people. */
export class ZipProblem extends Error {}

/** Where the bytes of a zip file are. */
export interface ZipSource {
  /** Bytes. */
  size: number;
  read(offset: number, length: number): Promise<ReadableStream<Uint8Array>>;
}

/** One file in it, as its directory says. */
export interface ZipMember {
  path: string;
  /** Bytes, as they are and as they are packed. */
  size: number;
  packed: number;
  isDeflated: boolean;
  crc: number;
  /** Where its own header begins. */
  offset: number;
}

const endLength = 22;
const maxComment = 65_535;
const maxDirectoryBytes = 8_000_000;
const headerLength = 30;
/** More than the names and notes of any usual program take between a member's header and its bytes. */
const maxHeaderExtra = 4096;

/**
 * The files in a zip file, by the directory at its end (APPNOTE.TXT, section 4.3). Folders are left out.
 * @throws ZipProblem for what is not a zip file, is cut off, or needs what few programs write: passwords, parts, other methods,
 *   the large form
 */
export async function readZipDirectory(source: ZipSource, maxMembers: number): Promise<ZipMember[]> {
  const tailLength = Math.min(source.size, endLength + maxComment);
  const tail = await allBytes(source, source.size - tailLength, tailLength);
  const end = findEnd(tail);
  if (end === undefined) throw new ZipProblem("This is not a zip file, or it is incomplete");
  const view = viewOf(tail);
  const count = view.getUint16(end + 10, true);
  const length = view.getUint32(end + 12, true);
  const offset = view.getUint32(end + 16, true);
  if (view.getUint16(end + 4, true) !== 0) throw new ZipProblem("The zip file is in several parts");
  if (count === 0xffff || length === 0xffffffff || offset === 0xffffffff)
    throw new ZipProblem("The zip file is too large: it has the large form (zip64)");
  if (offset + length > source.size || length > maxDirectoryBytes) throw damaged();
  const members = readMembers(await allBytes(source, offset, length), count);
  const files = members.filter(({ path }) => !path.endsWith("/"));
  if (files.length > maxMembers)
    throw new ZipProblem(`The zip file has ${files.length.toLocaleString("en-US")} files; the limit is ${maxMembers}`);
  // Members that share their bytes would be a small file that unpacks to a huge one.
  if (files.reduce((sum, { packed }) => sum + packed, 0) > source.size) throw damaged();
  return files;
}

function damaged(): ZipProblem {
  return new ZipProblem("The zip file is damaged");
}

/** The last record that fits: the comment behind it may be anything. */
function findEnd(tail: Uint8Array): number | undefined {
  const view = viewOf(tail);
  for (let at = tail.length - endLength; at >= 0; at--) {
    if (view.getUint32(at, true) === 0x06054b50 && at + endLength + view.getUint16(at + 20, true) === tail.length)
      return at;
  }
  return undefined;
}

function readMembers(directory: Uint8Array, count: number): ZipMember[] {
  const view = viewOf(directory);
  const members: ZipMember[] = [];
  let at = 0;
  for (let number = 0; number < count; number++) {
    if (at + 46 > directory.length || view.getUint32(at, true) !== 0x02014b50) throw damaged();
    const flags = view.getUint16(at + 8, true);
    const method = view.getUint16(at + 10, true);
    const nameLength = view.getUint16(at + 28, true);
    const next = at + 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    if (next > directory.length) throw damaged();
    const path = utf8Text(directory.subarray(at + 46, at + 46 + nameLength)).replaceAll("\\", "/");
    const member = {
      path,
      size: view.getUint32(at + 24, true),
      packed: view.getUint32(at + 20, true),
      isDeflated: method === 8,
      crc: view.getUint32(at + 16, true),
      offset: view.getUint32(at + 42, true),
    };
    if ((flags & 1) !== 0) throw new ZipProblem(`${path} is protected by a password`);
    if (method !== 0 && method !== 8) throw new ZipProblem(`${path} is packed in a way that can't be read here`);
    if (member.size === 0xffffffff || member.packed === 0xffffffff)
      throw new ZipProblem(`${path} is too large: it has the large form (zip64)`);
    members.push(member);
    at = next;
  }
  return members;
}

/**
 * The bytes of a file in it, unpacked as they are read, and checked against the directory.
 * @throws ZipProblem where they do not fit it, at the latest at the end
 */
export async function* memberBytes(source: ZipSource, member: ZipMember): AsyncGenerator<Uint8Array> {
  const { path, size, packed, offset } = member;
  const wanted = Math.min(headerLength + maxHeaderExtra + packed, source.size - offset);
  const broken = () => new ZipProblem(`${path} is damaged`);
  if (wanted < headerLength) throw broken();
  const raw = packedBytes(await source.read(offset, wanted), packed, broken);
  let crc = 0xffffffff;
  let length = 0;
  try {
    for await (const piece of member.isDeflated ? inflated(raw) : raw) {
      length += piece.length;
      if (length > size) throw broken();
      crc = addToCrc(crc, piece);
      yield piece;
    }
  } catch (error) {
    throw error instanceof TypeError ? broken() : error;
  }
  if (length !== size || (crc ^ 0xffffffff) >>> 0 !== member.crc) throw broken();
}

/** The packed bytes behind the member's own header. */
async function* packedBytes(
  stream: ReadableStream<Uint8Array>,
  packed: number,
  broken: () => Error,
): AsyncGenerator<Uint8Array> {
  let head: Uint8Array | undefined = new Uint8Array();
  let left = packed;
  for await (const piece of stream) {
    let bytes: Uint8Array = piece;
    if (head) {
      bytes = Buffer.concat([head, piece]);
      if (bytes.length < headerLength) {
        head = bytes;
        continue;
      }
      const view = viewOf(bytes);
      if (view.getUint32(0, true) !== 0x04034b50) throw broken();
      const start: number = headerLength + view.getUint16(26, true) + view.getUint16(28, true);
      if (start > headerLength + maxHeaderExtra) throw broken();
      if (bytes.length < start) {
        head = bytes;
        continue;
      }
      bytes = bytes.subarray(start);
      head = undefined;
    }
    const part = bytes.subarray(0, left);
    left -= part.length;
    if (part.length > 0) yield part;
    if (left === 0) return;
  }
  if (head || left > 0) throw broken();
}

async function* inflated(raw: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { done, value } = await raw.next();
      if (done) controller.close();
      else controller.enqueue(value.slice());
    },
    async cancel() {
      await raw.return(undefined);
    },
  });
  yield* source.pipeThrough(new DecompressionStream("deflate-raw"));
}

async function allBytes(source: ZipSource, offset: number, length: number): Promise<Uint8Array> {
  if (length === 0) return new Uint8Array();
  const pieces: Uint8Array[] = [];
  for await (const piece of await source.read(offset, length)) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  if (bytes.length < length) throw damaged();
  return bytes.subarray(0, length);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

const crcTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});

function addToCrc(crc: number, bytes: Uint8Array): number {
  let value = crc;
  for (const byte of bytes) value = crcTable[(value ^ byte) & 0xff]! ^ (value >>> 8);
  return value;
}
