import { htmlToMarkdown } from "mdream";
import PostalMime, { type Address, type Attachment, type Email } from "postal-mime";
import { type Document, DocumentError, type Piece } from "../../document.ts";
import { leftOut } from "../web/html.ts";
import { tidyLines } from "../web/tidy-markdown.ts";

/** Attachments that are looked at; the others are named. */
const maxAttachments = 200;

/**
 * A message as Markdown: who wrote it to whom and when, what it says, and what its attachments say. An attachment that cannot be
 * read is named with the reason.
 * @param level of its heading
 * @returns its subject
 * @throws DocumentError file_corrupt where it is no message
 */
export async function* readMessage(
  bytes: Uint8Array,
  document: Document,
  level: number,
): AsyncGenerator<Piece, string | null> {
  const mail = await parse(bytes);
  const subject = oneLine(mail.subject ?? "");
  yield toText(`${"#".repeat(level)} ${subject || "(no subject)"}\n\n${describe(mail)}\n${bodyOf(mail)}\n\n`);
  const attachments = mail.attachments.filter((attachment) => !isOrnament(attachment));
  for (const [at, attachment] of attachments.entries()) yield* readAttachment(attachment, document, level + 1, at);
  return subject.slice(0, 500) || null;
}

async function parse(bytes: Uint8Array): Promise<Email> {
  let mail: Email;
  try {
    mail = await PostalMime.parse(bytes, { forceRfc822Attachments: true, maxNestingDepth: 50, maxHeadersSize: 1e6 });
  } catch (cause) {
    throw new DocumentError("file_corrupt", "It is damaged, or not an e-mail", { cause });
  }
  const isMail =
    mail.from !== undefined || mail.subject !== undefined || mail.date !== undefined || mail.messageId !== undefined;
  if (!isMail) throw new DocumentError("file_corrupt", "It has no sender, subject or date: it is not an e-mail");
  return mail;
}

async function* readAttachment(
  { filename, mimeType, content }: Attachment,
  document: Document,
  level: number,
  at: number,
): AsyncGenerator<Piece, undefined> {
  const name =
    oneLine(filename ?? "").slice(0, 200) || (mimeType === "message/rfc822" ? "message.eml" : `part ${at + 1}`);
  const heading = `${"#".repeat(Math.min(level, 6))} Attachment: ${name}\n\n`;
  try {
    if (at >= maxAttachments) throw new DocumentError("file_too_complex", "There are too many attachments");
    let isFirst = true;
    for await (const piece of document.readInner(toBytes(content), name, mimeType)) {
      if (isFirst) yield toText(heading, name);
      isFirst = false;
      // Its pages are not those of the mail.
      yield piece.type === "text" ? toText(piece.text, name) : piece;
    }
    if (!isFirst) yield toText("\n\n", name);
  } catch (error) {
    if (!(error instanceof DocumentError)) console.warn("an attachment could not be read", error);
    const why = error instanceof DocumentError ? error.message : "it is damaged";
    yield toText(`${heading}(It could not be read: ${why.charAt(0).toLowerCase()}${why.slice(1)}.)\n\n`, name);
  }
}

function describe(mail: Email): string {
  const lines = [
    ["From", mail.from && people([mail.from])],
    ["To", mail.to && people(mail.to)],
    ["Cc", mail.cc && people(mail.cc)],
    ["Date", mail.date],
  ] as const;
  return lines.map(([name, value]) => (value ? `${name}: ${value}\n` : "")).join("");
}

function people(addresses: readonly Address[]): string {
  const names = addresses.flatMap((address) => address.group ?? [address]).slice(0, 100);
  return names.map(({ name, address }) => oneLine(name ? `${name} <${address ?? ""}>` : (address ?? ""))).join(", ");
}

/** What it says as text; its other form where there is no text, or just a hint at that form. */
function bodyOf({ text, html }: Email): string {
  const plain = (text ?? "").replaceAll(/\r\n?/g, "\n").trim();
  if (!html) return plain;
  const light = html.replaceAll(/;base64,[\w+/=%-]+/g, ";base64,");
  const rich = tidyLines(htmlToMarkdown(light, { filter: { exclude: leftOut } })).trim();
  return plain.length * 3 >= rich.length ? plain : rich;
}

/** Pictures that belong to how it looks: logos, signatures. */
function isOrnament({ related, disposition, mimeType }: Attachment): boolean {
  return mimeType.startsWith("image/") && (related === true || disposition === "inline");
}

function toBytes(content: Attachment["content"]): Uint8Array {
  if (typeof content === "string") return new TextEncoder().encode(content);
  return content instanceof Uint8Array ? content : new Uint8Array(content);
}

function toText(text: string, label: string | null = null): Piece {
  return { type: "text", text, page: null, label };
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
