import { DocumentError, type Format, type Piece } from "../document.ts";
import { readRelations } from "../xml/read-relations.ts";
import { ZipPackage } from "../zip/zip-package.ts";

const office = "application/vnd.openxmlformats-officedocument.";
const openDocument = "application/vnd.oasis.opendocument.";

export const packageTypes = {
  docx: `${office}wordprocessingml.document`,
  pptx: `${office}presentationml.presentation`,
  xlsx: `${office}spreadsheetml.sheet`,
  odt: `${openDocument}text`,
  odp: `${openDocument}presentation`,
  ods: `${openDocument}spreadsheet`,
  epub: "application/epub+zip",
} as const;

/** Text and what tells its order. Pictures, fonts, looks and old copies for other programs are left out. */
function isWorthKeeping(name: string): boolean {
  if (name === "mimetype") return true;
  if (!/\.(xml|rels|opf|ncx|x?html?)$/i.test(name)) return false;
  return !/(^|\/)(theme|customXml|slideLayouts|slideMasters|tableStyles|Thumbnails|Configurations2)\//.test(name);
}

/** Documents that are ZIP archives with parts in them: of Office, of OpenDocument, electronic books. What it is, its parts say. */
export const packageFormat: Format = {
  async *read(document) {
    // What has a password looks like that from outside, whatever its name says.
    if (document.head[0] === 0xd0) {
      const { compoundFormat } = await import("./compound.ts");
      yield* compoundFormat.read(document);
      return;
    }
    const parts = await ZipPackage.read(document.stream(), isWorthKeeping);
    yield* await open(parts);
  },
};

async function open(parts: ZipPackage): Promise<Iterable<Piece>> {
  if (parts.text("META-INF/manifest.xml").includes("encryption-data"))
    throw new DocumentError("file_encrypted", "It is protected by a password");
  const type = parts.text("mimetype").trim();
  if (type.startsWith(openDocument)) return openOpenDocument(parts, type.slice(openDocument.length));
  if (type === packageTypes.epub || parts.has("META-INF/container.xml")) {
    const { readBook } = await import("./book/read-book.ts");
    return readBook(parts, packageTypes.epub);
  }
  const main = [...readRelations(parts, "").values()].find((relation) => relation.type === "officeDocument")?.target;
  if (main?.startsWith("word/")) {
    const { readWord } = await import("./word/read-word.ts");
    return readWord(parts, main, packageTypes.docx);
  }
  if (main?.startsWith("ppt/")) {
    const { readSlides } = await import("./slides/read-slides.ts");
    return readSlides(parts, main, packageTypes.pptx);
  }
  if (main?.startsWith("xl/") && main.endsWith(".xml")) {
    const { readWorkbook } = await import("./sheets/read-workbook.ts");
    return readWorkbook(parts, main, packageTypes.xlsx);
  }
  if (main?.startsWith("xl/"))
    throw new DocumentError("file_unsupported", "Binary workbooks (XLSB) cannot be read: save it as XLSX");
  throw new DocumentError("file_unsupported", "Archives are not supported: upload the documents in it one by one");
}

async function openOpenDocument(parts: ZipPackage, kind: string): Promise<Iterable<Piece>> {
  if (!parts.has("content.xml")) throw new DocumentError("file_corrupt", "It is damaged: its text is missing");
  if (kind.startsWith("spreadsheet")) {
    const { readOpenSheets } = await import("./sheets/read-open-sheets.ts");
    return readOpenSheets(parts, packageTypes.ods);
  }
  const isSlides = kind.startsWith("presentation") || kind.startsWith("graphics");
  if (!isSlides && !kind.startsWith("text"))
    throw new DocumentError("file_unsupported", "This type of OpenDocument file is not supported");
  const { readOpenDocument } = await import("./open-document/read-open-document.ts");
  return readOpenDocument(parts, isSlides ? packageTypes.odp : packageTypes.odt, isSlides);
}
