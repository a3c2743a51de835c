import { cleanObject } from "../clean-value.ts";
import { fitObject } from "../fit-message.ts";
import { pagesOf } from "../pages-of.ts";
import { flagOf, isObject, objectOf, secondsOf, textOf } from "../read-values.ts";
import type { ImportedRecord, Reader, Row, RowSource, Translated } from "../row-source.ts";
import { hasTable } from "../rows-in-order.ts";
import { documentIn, documentOf, partsOf } from "./chat-document.ts";
import { folderOwners } from "./folders.ts";
import { timesOf } from "./knowledge.ts";
import { LargePictures } from "./large-pictures.ts";
import { readMessageTree } from "./message-tree.ts";
import { oldShareOf, oldSharesOf, sharesOf } from "./shares.ts";

/** Chats whose messages are read together. */
const pageLength = 20;
/** Chats with their messages, and the links that they are shared by. */
export const chatsReader: Reader = {
  name: "chats",
  tables: ["chat"],
  async *read(reading) {
    const { source } = reading;
    if (!(await hasTable(source, "chat"))) return;
    const hasRows = await hasTable(source, "chat_message");
    const known: Known = { folders: await folderOwners(source), tags: await tagNames(source) };
    const oldShares: string[] = [];
    for await (const page of pagesOf(source.rows("chat"), pageLength)) {
      const chats = page.filter((row) => {
        if (!oldShareOf(row)) return true;
        oldShares.push(textOf(row, "id")!);
        return false;
      });
      const ids = chats.flatMap((row) => textOf(row, "id") ?? []);
      const rows = hasRows && ids.length > 0 ? await source.rowsOf("chat_message", "chat_id", ids, "id") : [];
      const rowsByChat = Map.groupBy(rows, (row) => row["chat_id"]);
      for (const row of chats) yield* recordsOf(row, rowsByChat.get(row["id"]) ?? [], known);
    }
    yield* oldSharesOf(source, oldShares);
    yield* sharesOf(reading, new Set(oldShares));
  },
};

interface Known {
  folders: Awaited<ReturnType<typeof folderOwners>>;
  /** Names of tags by person and id. */
  tags: ReadonlyMap<string, string>;
}

const tagKey = (personId: unknown, id: unknown) => JSON.stringify([personId, id]);

async function tagNames(source: RowSource): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  if (!(await hasTable(source, "tag"))) return names;
  for await (const row of source.rows("tag")) {
    const name = textOf(row, "name");
    if (name !== undefined) names.set(tagKey(row["user_id"], row["id"]), name);
  }
  return names;
}

function* recordsOf(row: Row, rows: readonly Row[], known: Known): Generator<Translated> {
  const id = textOf(row, "id");
  if (id === undefined) return;
  const personId = textOf(row, "user_id");
  const meta = objectOf(row, "meta") ?? {};
  if (personId === undefined) return yield leftOut(id, "It has no owner");
  if (meta["internal"] === true) return yield leftOut(id, "Open WebUI keeps it for itself, and shows it to nobody");
  const document = documentIn(row);
  const pictures = new LargePictures(id);
  const tree = readMessageTree(id, document ?? {}, rows, pictures);
  if (document === undefined && tree.messages.length === 0)
    return yield leftOut(id, "Its document cannot be read, and it has no messages");
  const notes = [...tree.notes];
  if (document === undefined) notes.push("Its document cannot be read: only its messages were imported");
  const folderId = textOf(row, "folder_id");
  const isOwnFolder = folderId !== undefined && known.folders.get(folderId)?.personId === personId;
  if (folderId !== undefined && !isOwnFolder)
    notes.push("Its folder does not exist, or belongs to somebody else: it is in no folder");
  const [first = [], ...others] = partsOf(tree);
  const current = tree.idOf(textOf(row, "current_message_id")) ?? tree.idOf(currentIn(document));
  yield* pictures.files(personId, secondsOf(row, "created_at"));
  const { tags, ...kept } = cleanObject(meta);
  yield {
    record: {
      kind: "chat",
      id,
      person_id: personId,
      folder_id: isOwnFolder ? folderId : null,
      title: (textOf(row, "title") ?? textIn(document, "title") ?? "").slice(0, 1000),
      chat: {
        ...documentOf(document ?? {}),
        history: { currentId: current ?? null, messages: Object.fromEntries(first) },
      },
      tags: tagsOf(tags, personId, known),
      meta: fitObject(kept, 200_000),
      variables: fitObject(cleanObject(objectOf(row, "variables") ?? {}), 200_000),
      pinned: flagOf(row, "pinned"),
      archived: flagOf(row, "archived"),
      last_read_at: secondsOf(row, "last_read_at"),
      notes,
      ...timesOf(row),
    },
  };
  for (const [index, part] of others.entries()) {
    const messages = Object.fromEntries(part);
    const shown = current !== undefined && Object.hasOwn(messages, current) ? current : undefined;
    const more: ImportedRecord = {
      kind: "chat_messages",
      id: `${id.slice(0, 280)}#${index + 1}`,
      chat_id: id,
      person_id: personId,
      messages,
    };
    yield { record: shown === undefined ? more : { ...more, current_id: shown } };
  }
}

function leftOut(id: string, reason: string): Translated {
  return { leftOut: { kind: "chat", id, reason } };
}

function currentIn(document: Record<string, unknown> | undefined): unknown {
  const history = document?.["history"];
  return isObject(history) ? history["currentId"] : undefined;
}

function textIn(value: Record<string, unknown> | undefined, key: string): string | undefined {
  const text = value?.[key];
  return typeof text === "string" ? text : undefined;
}

function tagsOf(ids: unknown, personId: string, known: Known): string[] {
  const given: unknown[] = Array.isArray(ids) ? ids : [];
  const names = given.flatMap((id) => (typeof id === "string" ? (known.tags.get(tagKey(personId, id)) ?? id) : []));
  return [...new Set(names.map((name) => name.slice(0, 100)))].slice(0, 1000);
}
