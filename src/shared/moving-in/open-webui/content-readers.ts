import type { Reader, Translated } from "../row-source.ts";
import { channelsReader } from "./channels.ts";
import { chatsReader } from "./chats.ts";
import { maxIdLength } from "./common-fields.ts";
import { feedbackReader } from "./feedback.ts";
import { filesReader } from "./files.ts";
import { foldersReader } from "./folders.ts";
import { knowledgeReader } from "./knowledge.ts";
import { memoriesReader } from "./memories.ts";
import { notesReader } from "./notes.ts";

const sound = (readers: readonly Reader[]): readonly Reader[] =>
  readers.map((reader) => ({
    ...reader,
    async *read(reading) {
      for await (const translated of reader.read(reading)) yield withSoundId(translated);
    },
  }));

/** Files and knowledge bases, which models refer to. */
export const documentReaders = sound([filesReader, knowledgeReader, notesReader]);

/** What people have written, which refers to documents and models. */
export const conversationReaders = sound([foldersReader, chatsReader, feedbackReader, memoriesReader, channelsReader]);

/** What people have made, in the order in which it is brought: each refers only to what comes before it. */
export const contentReaders: readonly Reader[] = [...documentReaders, ...conversationReaders];

/** One record with an id that is too long would have its whole request refused. */
function withSoundId(translated: Translated): Translated {
  if ("leftOut" in translated) return translated;
  const [kind, id] =
    "record" in translated ? [translated.record.kind, translated.record.id] : ["file", translated.file.id];
  if (id.length <= maxIdLength) return translated;
  return { leftOut: { kind, id: id.slice(0, 100), reason: "Its id is too long" } };
}
