import { toBase64 } from "../../../lib/base64.ts";
import { utf8Text } from "../../../lib/utf8.ts";
import type { ToolOutcome } from "../../tool.ts";
import type { Answer } from "../bounded-fetch.ts";
import { withoutSecrets } from "../without-secrets.ts";

/** Largest picture that is shown, in bytes: it is stored with the message. */
const maxPictureBytes = 2_000_000;
const maxErrorLength = 2000;

/** An answer for the model. */
export function readAnswer({ status, headers, bytes }: Answer, secrets: readonly string[]): ToolOutcome {
  const type = (headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase();
  if (status >= 400)
    return { ok: false, message: errorText(status, isTextual(type, bytes) ? decode(bytes) : "", secrets) };
  if (bytes.length === 0) return { ok: true, content: `Done: the server answered ${status} without a text.` };
  if (isTextual(type, bytes)) return { ok: true, content: withoutSecrets(decode(bytes), secrets) };
  const size = `${Math.max(1, Math.round(bytes.length / 1000))} kB`;
  if (/^image\/(png|jpeg|gif|webp)$/.test(type) && bytes.length <= maxPictureBytes) {
    const url = `data:${type};base64,${toBase64(bytes)}`;
    return {
      ok: true,
      content: `A picture (${type}, ${size}), which is shown to the person.`,
      files: [{ type: "image", url }],
    };
  }
  return {
    ok: true,
    content: `The server answered with a file (${type || "of an unknown type"}, ${size}) that is no text.`,
  };
}

function errorText(status: number, body: string, secrets: readonly string[]): string {
  const said = withoutSecrets(body, secrets).trim();
  const words = said.length > maxErrorLength ? `${said.slice(0, maxErrorLength)}…` : said;
  return `The server returned error ${status}${words === "" ? "" : `: ${words}`}`;
}

function isTextual(type: string, bytes: Uint8Array): boolean {
  if (/^text\/|json|xml|yaml|javascript|x-www-form-urlencoded|csv|graphql/.test(type)) return true;
  if (/^(image|audio|video|font)\//.test(type)) return false;
  return isUtf8(bytes);
}

function isUtf8(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return false;
  try {
    new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function decode(bytes: Uint8Array): string {
  return utf8Text(bytes);
}
