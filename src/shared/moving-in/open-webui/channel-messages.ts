import { cleanObject } from "../clean-value.ts";
import { fitMessage, fitObject } from "../fit-message.ts";
import { parentsFirst } from "../parents-first.ts";
import { flagOf, isObject, millisecondsOf, objectOf, textOf } from "../read-values.ts";
import type { ImportedRecord, Row, RowSource, Translated } from "../row-source.ts";
import { hasTable, rowsInOrder } from "../rows-in-order.ts";

const maxReactions = 10_000;

/** Messages of these channels as they followed each other; what answers or quotes one comes after it. */
export async function* messagesOf(source: RowSource, channelIds: ReadonlySet<string>): AsyncGenerator<Translated> {
  if (!(await hasTable(source, "message"))) return;
  const hasReactions = await hasTable(source, "message_reaction");
  const order = await orderOf(source, channelIds);
  for await (const page of rowsInOrder(source, "message", [...order.keys()])) {
    const ids = page.map((row) => textOf(row, "id")!);
    const reactions = hasReactions ? await source.rowsOf("message_reaction", "message_id", ids, "id") : [];
    const reactionsBy = Map.groupBy(reactions, (row) => row["message_id"]);
    for (const row of page)
      yield { record: recordOf(row, order.get(textOf(row, "id")!) ?? null, reactionsBy.get(row["id"]) ?? []) };
  }
}

/** Ids in order, each with the message that it answers. Only what orders them is kept in memory. */
async function orderOf(source: RowSource, channelIds: ReadonlySet<string>): Promise<Map<string, string | null>> {
  const items: { id: string; parentId: string | null; time: number }[] = [];
  for await (const row of source.rows("message")) {
    const id = textOf(row, "id");
    const channelId = textOf(row, "channel_id");
    if (id === undefined || channelId === undefined || !channelIds.has(channelId)) continue;
    items.push({ id, parentId: textOf(row, "parent_id") ?? null, time: millisecondsOf(row, "created_at") ?? 0 });
  }
  items.sort((a, b) => a.time - b.time);
  return new Map(
    // One that is missing is named, so that the report has it.
    parentsFirst(items).map(({ item, parentId, moved }) => [item.id, moved === "missing" ? item.parentId : parentId]),
  );
}

function recordOf(row: Row, parentId: string | null, reactionRows: readonly Row[]): ImportedRecord {
  const { webhook, model_id: modelId, model_name: modelName, ...meta } = cleanObject(objectOf(row, "meta") ?? {});
  const files = objectOf(row, "data")?.["files"];
  const createdAt = millisecondsOf(row, "created_at");
  const updatedAt = millisecondsOf(row, "updated_at");
  const isEdited = createdAt !== undefined && updatedAt !== undefined && updatedAt > createdAt + 1000;
  const content = textOf(row, "content") ?? "";
  const fitting = fitMessage({ content })["content"] as string;
  const webhookId = isObject(webhook) ? webhook["id"] : undefined;
  const pinnedAt = flagOf(row, "is_pinned") ? (millisecondsOf(row, "pinned_at") ?? updatedAt ?? createdAt) : undefined;
  const model =
    typeof modelId === "string" && modelId !== ""
      ? { id: modelId.slice(0, 256), name: (typeof modelName === "string" ? modelName : modelId).slice(0, 500) }
      : null;
  return {
    kind: "channel_message",
    id: textOf(row, "id")!,
    channel_id: textOf(row, "channel_id")!,
    person_id: textOf(row, "user_id") ?? null,
    webhook_id: typeof webhookId === "string" && webhookId !== "" ? webhookId.slice(0, 300) : null,
    model,
    parent_id: parentId,
    reply_to_id: textOf(row, "reply_to_id") ?? null,
    content: fitting,
    file_ids: idsOf(files),
    reactions: reactionRows.flatMap(reactionOf).slice(0, maxReactions),
    meta: fitObject(meta, 4096),
    pinned_at: pinnedAt,
    pinned_by: textOf(row, "pinned_by") ?? null,
    created_at: createdAt,
    edited_at: isEdited ? updatedAt : undefined,
    notes: fitting.length < content.length ? ["Its text was too large: it was cut"] : [],
  };
}

function idsOf(files: unknown): string[] {
  const given: unknown[] = Array.isArray(files) ? files : [];
  const ids = given.map((file) => (isObject(file) ? file["id"] : file));
  return ids.filter((id): id is string => typeof id === "string" && id !== "" && id.length <= 300).slice(0, 1000);
}

function reactionOf(row: Row) {
  const name = textOf(row, "name");
  const personId = textOf(row, "user_id");
  if (name === undefined || personId === undefined) return [];
  return [{ name: name.slice(0, 200), person_id: personId, created_at: millisecondsOf(row, "created_at") }];
}
