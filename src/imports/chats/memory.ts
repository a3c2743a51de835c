import * as z from "zod";
import { cleanText } from "../../lib/clean-text.ts";
import { newId } from "../../lib/id.ts";
import { memoryPath, memoryTypes } from "../../memories/schema.ts";
import { memories } from "../../memories/tables.ts";
import { maxMemoryLength } from "../../shared/max-memory-length.ts";
import { splitText } from "../../shared/moving-in/split-text.ts";
import { defineKind } from "../kind.ts";
import { givenNotes, noOwner, optionalId, optionalTime, takenIn } from "../record-parts.ts";
import { anyRecord, sourceId } from "../schema.ts";

const memoryRecord = anyRecord.extend({
  person_id: sourceId,
  content: z.string().max(1_000_000),
  type: z.enum(memoryTypes).default("context"),
  path: memoryPath.catch(null).default(null),
  /** Who wrote it, and a model in which chat. */
  source: z.enum(["person", "model"]).default("person"),
  chat_id: optionalId,
  created_at: optionalTime,
  updated_at: optionalTime,
  notes: givenNotes,
});

export const memoryKind = defineKind<z.infer<typeof memoryRecord>>({
  shape: memoryRecord,
  references: (record) => [
    { kind: "person", id: record.person_id },
    ...(record.chat_id ? [{ kind: "chat", id: record.chat_id }] : []),
  ],
  taken: takenIn("memories"),
  plan({ ctx, find }, record, id) {
    const userId = find("person", record.person_id);
    if (userId === undefined) return noOwner;
    const texts = splitText(cleanText(record.content), maxMemoryLength);
    if (texts.length === 0) return { leftOut: "It has no text" };
    const createdAt = record.created_at ?? ctx.now();
    const split = texts.length === 1 ? [] : [`Its text was too long: it is ${texts.length} memories here`];
    return {
      notes: [...record.notes, ...split],
      size: record.content.length,
      statements: [
        ctx.db.insert(memories).values(
          texts.map((content, at) => ({
            id: at === 0 ? id : newId(),
            userId,
            content,
            type: record.type,
            path: record.path,
            source: record.source,
            chatId: (record.chat_id && find("chat", record.chat_id)) || null,
            createdAt,
            updatedAt: record.updated_at ?? createdAt,
          })),
        ),
      ],
    };
  },
});
