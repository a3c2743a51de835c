import type { Reader, Translated } from "../row-source.ts";
import { channelsReader } from "./channels.ts";
import { chatsReader } from "./chats.ts";
import { filesReader } from "./files.ts";
import { foldersReader } from "./folders.ts";
import { knowledgeReader } from "./knowledge.ts";
import { memoriesReader } from "./memories.ts";
import { notesReader } from "./notes.ts";

/** The longest id that the service takes. */
const maxId = 300;

/** What people have made, in the order in which it is brought: each refers only to what comes before it. */
export const contentReaders: readonly Reader[] = [
  filesReader,
  knowledgeReader,
  notesReader,
  foldersReader,
  chatsReader,
  memoriesReader,
  channelsReader,
].map((reader) => ({
  ...reader,
  async *read(reading) {
    for await (const translated of reader.read(reading)) yield withSoundId(translated);
  },
}));

/** One record with an id that is too long would have its whole request refused. */
function withSoundId(translated: Translated): Translated {
  if ("leftOut" in translated) return translated;
  const [kind, id] =
    "record" in translated ? [translated.record.kind, translated.record.id] : ["file", translated.file.id];
  if (id.length <= maxId) return translated;
  return { leftOut: { kind, id: id.slice(0, 100), reason: "Its id is too long" } };
}
