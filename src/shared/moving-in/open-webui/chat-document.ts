import { cleanObject, countValues } from "../clean-value.ts";
import { isLargerThan } from "../fit-message.ts";
import { isObject, jsonOf } from "../read-values.ts";
import type { Row } from "../row-source.ts";
import type { MessageTree } from "./message-tree.ts";
import { withoutTexts } from "./message.ts";

/** What one record has at most; more messages follow in others. */
const maxRecord = { bytes: 4_600_000, values: 60_000 };

/** The document of a chat; in some databases it is JSON in JSON. */
export function documentIn(row: Row): Record<string, unknown> | undefined {
  const outer = jsonOf(row, "chat");
  const document = typeof outer === "string" ? jsonOf({ chat: outer }, "chat") : outer;
  return isObject(document) ? document : undefined;
}

type Part = [string, Record<string, unknown>][];

/** The messages in parts that one record can take, parents before children. */
export function partsOf({ messages }: MessageTree): Part[] {
  const parts: Part[] = [];
  let bytes = Infinity;
  let values = Infinity;
  for (const { id, message } of messages) {
    const size = JSON.stringify(message).length * 1.2 + 200;
    const count = countValues(message);
    if (bytes + size > maxRecord.bytes || values + count > maxRecord.values) {
      parts.push([]);
      bytes = 0;
      values = 0;
    }
    parts.at(-1)!.push([id, message]);
    bytes += size;
    values += count;
  }
  return parts;
}

/** What the document has beside its messages. */
export function documentOf(document: Record<string, unknown>): Record<string, unknown> {
  const {
    history: _history,
    messages: _messages,
    tags: _tags,
    id: _id,
    title: _title,
    ...rest
  } = cleanObject(document);
  const files: unknown[] = Array.isArray(rest["files"]) ? rest["files"] : [];
  const models: unknown[] = Array.isArray(rest["models"]) ? rest["models"] : [];
  const kept = {
    ...rest,
    ...(files.length === 0 ? {} : { files: withoutTexts(files) }),
    models: models.filter((model) => typeof model === "string" && model.length <= 256).slice(0, 50),
    params: isObject(rest["params"]) ? rest["params"] : {},
  };
  if (isLargerThan(kept, 1_000_000) || countValues(kept) > 20_000) return { models: kept.models, params: {} };
  return kept;
}
