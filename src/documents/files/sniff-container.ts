import type { TypeHint } from "./sniff-type.ts";

const office = "application/vnd.openxmlformats-officedocument.";
const openDocument = "application/vnd.oasis.opendocument.";
const docx = `${office}wordprocessingml.document`;
const pptx = `${office}presentationml.presentation`;
const xlsx = `${office}spreadsheetml.sheet`;

/** Kinds of ZIP archives by the ends of names: what decides where the first bytes do not. */
const zipExtensions: Record<string, string> = {
  docx,
  docm: docx,
  dotx: docx,
  pptx,
  pptm: pptx,
  ppsx: pptx,
  potx: pptx,
  xlsx,
  xlsm: xlsx,
  xltx: xlsx,
  odt: `${openDocument}text`,
  ott: `${openDocument}text`,
  odp: `${openDocument}presentation`,
  otp: `${openDocument}presentation`,
  ods: `${openDocument}spreadsheet`,
  ots: `${openDocument}spreadsheet`,
  epub: "application/epub+zip",
};

const oleExtensions: Record<string, string> = {
  doc: "application/msword",
  dot: "application/msword",
  xls: "application/vnd.ms-excel",
  xlt: "application/vnd.ms-excel",
  ppt: "application/vnd.ms-powerpoint",
  pps: "application/vnd.ms-powerpoint",
  msg: "application/vnd.ms-outlook",
  docx,
  pptx,
  xlsx,
};

const oleSignature = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

/** Kinds of archives that documents are; undefined for everything else. */
export function sniffContainer(head: Uint8Array, { filename, contentType }: TypeHint): string | undefined {
  const extension = /\.([^./\\]+)$/.exec(filename)?.[1]?.toLowerCase() ?? "";
  const [a, b, c, d] = head;
  if (a === 0x50 && b === 0x4b && ((c === 3 && d === 4) || (c === 5 && d === 6))) {
    const said = Object.values(zipExtensions).find((type) => type === contentType);
    return zipType(head) ?? zipExtensions[extension] ?? said ?? "application/zip";
  }
  if (oleSignature.every((byte, at) => head[at] === byte)) {
    const said = Object.values(oleExtensions).find((type) => type === contentType);
    return oleType(head) ?? oleExtensions[extension] ?? said ?? "application/x-ole-storage";
  }
  return undefined;
}

/** By the names of the first entries. */
function zipType(head: Uint8Array): string | undefined {
  const text = new TextDecoder("windows-1252").decode(head);
  for (let at = 0; at !== -1; at = text.indexOf("PK\u0003\u0004", at + 4)) {
    const nameEnd = at + 30 + (head[at + 26] ?? 0) + (head[at + 27] ?? 0) * 256;
    const name = text.slice(at + 30, nameEnd);
    if (name === "mimetype") return mimetype(text.slice(nameEnd, nameEnd + 120));
    if (name.startsWith("word/")) return docx;
    if (name.startsWith("ppt/")) return pptx;
    if (name.startsWith("xl/")) return xlsx;
  }
  return undefined;
}

/** The first entry of OpenDocument files and of EPUB is their type, uncompressed. */
function mimetype(content: string): string | undefined {
  const found = /^application\/(?:epub\+zip|vnd\.oasis\.opendocument\.(?:text|presentation|spreadsheet))/.exec(content);
  return found?.[0];
}

/** By the names of streams, if the directory lies among the first bytes. */
function oleType(head: Uint8Array): string | undefined {
  const text = new TextDecoder("utf-16le").decode(head.subarray(0, head.length & ~1));
  // What is encrypted holds a document of Office; which one its name says.
  if (text.includes("EncryptedPackage")) return undefined;
  if (text.includes("WordDocument")) return oleExtensions["doc"];
  if (text.includes("PowerPoint Document")) return oleExtensions["ppt"];
  if (text.includes("__substg1.0_")) return oleExtensions["msg"];
  return text.includes("Workbook\0") ? oleExtensions["xls"] : undefined;
}
