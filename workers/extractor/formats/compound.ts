import { DocumentError, type Format } from "../document.ts";

/** The workbook in it is held as a whole, and its cells as values. */
const maxBytes = 32e6;

/** Names of what may lie in such a file, and what it is then; in the order in which they decide. */
const kinds = [
  ["EncryptedPackage", "encrypted"],
  ["Workbook", "workbook"],
  ["Book", "workbook"],
  ["WordDocument", "Old Word documents (DOC) cannot be read: save it as DOCX"],
  ["PowerPoint Document", "Old presentations (PPT) cannot be read: save it as PPTX"],
  ["__properties_version1.0", "Outlook messages (MSG) cannot be read: save it as EML"],
] as const;

/** The record that a workbook of Excel 97 or newer begins with. */
const workbookStart = Buffer.from([0x09, 0x08, 0x10, 0x00, 0x00, 0x06, 0x05, 0x00]);

/**
 * Compound files: how Office kept everything until 2007, and how it keeps what has a password to this day. Workbooks (XLS) are
 * read.
 */
export const compoundFormat: Format = {
  async *read(document) {
    const bytes = await document.bytes(maxBytes);
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (isCutOff(buffer)) throw new DocumentError("file_corrupt", "It is damaged: its end is missing");
    const kind = kinds.find(([name]) => hasEntry(buffer, name))?.[1];
    if (kind === "encrypted") throw new DocumentError("file_encrypted", "It is protected by a password");
    if (kind !== "workbook") throw new DocumentError("file_unsupported", kind ?? "This type of file is not supported");
    if (isProtectedWorkbook(buffer)) throw new DocumentError("file_encrypted", "It is protected by a password");
    const { readOldWorkbook } = await import("./sheets/read-old-workbook.ts");
    yield* readOldWorkbook(bytes);
  },
};

/** Whether the directory, whose place the header tells, lies behind the end. */
function isCutOff(buffer: Buffer): boolean {
  if (buffer.length < 512) return true;
  const sector = 1 << Math.min(12, Math.max(7, buffer.readUInt16LE(30)));
  return (buffer.readUInt32LE(48) + 2) * sector > buffer.length;
}

/** The first records of a workbook say so (FILEPASS); what comes after them is scrambled. */
function isProtectedWorkbook(buffer: Buffer): boolean {
  let at = buffer.indexOf(workbookStart);
  while (at >= 0 && at % 64 !== 0) at = buffer.indexOf(workbookStart, at + 1);
  for (let record = 0; at >= 0 && record < 8 && at + 4 <= buffer.length; record += 1) {
    if (buffer.readUInt16LE(at) === 0x2f) return true;
    at += 4 + buffer.readUInt16LE(at + 2);
  }
  return false;
}

/** Entries of the directory are 128 bytes each and begin with their names. */
function hasEntry(buffer: Buffer, name: string): boolean {
  const wanted = Buffer.from(`${name}\0`, "utf16le");
  for (let at = buffer.indexOf(wanted); at >= 0; at = buffer.indexOf(wanted, at + 2)) if (at % 128 === 0) return true;
  return false;
}
