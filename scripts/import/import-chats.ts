import { createReadStream, existsSync, statSync } from "node:fs";
import { Readable } from "node:stream";
import { StartError } from "../launch/start-error.ts";

/** What `POST /api/v1/chats/import/file` answers (src/chat/transfer/schema.ts). */
interface Report {
  imported: number;
  messages: number;
  left_out: { position: number; title: string; reason: string }[];
  left_out_count: number;
  complete: boolean;
}

/**
 * Imports an export of chats for the person whose key it is.
 * @throws StartError
 */
export async function importChatFile(
  { file, url, key }: { file: string; url: string; key: string },
  say: (line: string) => void,
): Promise<void> {
  if (!existsSync(file) || !statSync(file).isFile()) throw new StartError(`There is no file ${file}.`, "noInput");
  const response = await fetch(`${url.replace(/\/+$/, "")}/api/v1/chats/import/file`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/octet-stream" },
    body: Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>,
    duplex: "half",
  } as RequestInit).catch((error: unknown) => {
    throw new StartError(`${url} cannot be reached (${(error as Error).message}).`, "unavailable");
  });
  const answer = (await response.json().catch(() => ({}))) as Report & { detail?: unknown };
  if (!response.ok) {
    const said = typeof answer.detail === "string" ? answer.detail : response.statusText;
    throw new StartError(`${said.replace(/\.$/, "")}.`, response.status < 500 ? "data" : "unavailable");
  }
  const { imported, messages, left_out: named, left_out_count: count } = answer;
  say(`Imported ${imported} ${imported === 1 ? "chat" : "chats"} with ${messages} messages, left out ${count}.`);
  for (const { position, title, reason } of named) say(`  ${title === "" ? `Chat ${position}` : title}: ${reason}`);
  if (!answer.complete) throw new StartError(`${file} breaks off. What came before that was imported.`, "data");
}
