import { toBase64 } from "../lib/base64.ts";
import type { Sender } from "./sender.ts";

/** An e-mail of plain text. */
export interface Letter {
  to: string;
  subject: string;
  text: string;
}

/** Longest encoded word (RFC 2047, section 2) is 75 characters; this many bytes fit with its frame. */
const maxWordBytes = 45;
/** Longest line of a base64 body (RFC 2045, section 6.8). */
const maxBodyLine = 76;

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** The characters of a header's text in encoded words; plain ASCII stays as it is. Control characters are left out. */
export function headerText(text: string): string {
  const line = text
    .replaceAll(/\p{Cc}+/gu, " ")
    .toWellFormed()
    .trim();
  if (/^[\x20-\x7e]*$/.test(line) && line.length <= 900 && !line.includes("=?")) return line;
  const words: string[] = [];
  let part = "";
  for (const letter of line) {
    if (bytesOf(part + letter).length > maxWordBytes) {
      words.push(part);
      part = "";
    }
    part += letter;
  }
  words.push(part);
  return words.map((word) => `=?utf-8?B?${toBase64(bytesOf(word))}?=`).join("\r\n ");
}

function mailbox({ name, address }: Sender): string {
  if (name === "") return address;
  const plain = /^[\x20-\x7e]*$/.test(name) ? `"${name.replaceAll(/["\\]/g, "")}"` : headerText(name);
  return `${plain} <${address}>`;
}

/**
 * The message as it goes over the wire (RFC 5322): text in UTF-8 as base64, so that no line is too long and none begins with a dot.
 * @param id left part of the `Message-ID`
 * @param date epoch milliseconds
 */
export function composeMessage(letter: Letter, from: Sender, { id, date }: { id: string; date: number }): string {
  const domain = from.address.slice(from.address.lastIndexOf("@") + 1);
  const body = toBase64(bytesOf(letter.text.replaceAll(/\r?\n/g, "\r\n").toWellFormed()));
  const lines = body.match(new RegExp(`.{1,${maxBodyLine}}`, "g")) ?? [];
  return [
    `From: ${mailbox(from)}`,
    `To: ${letter.to}`,
    `Subject: ${headerText(letter.subject)}`,
    `Date: ${new Date(date).toUTCString().replace("GMT", "+0000")}`,
    `Message-ID: <${id}@${domain}>`,
    "MIME-Version: 1.0",
    "Content-Type: text/plain; charset=utf-8",
    "Content-Transfer-Encoding: base64",
    // Nobody's out-of-office reply should come back (RFC 3834, section 5).
    "Auto-Submitted: auto-generated",
    "",
    ...lines,
    "",
  ].join("\r\n");
}
