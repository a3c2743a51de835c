import { fitObject } from "../fit-message.ts";
import { pagesOf } from "../pages-of.ts";
import { textOf } from "../read-values.ts";
import type { Reading, Row, RowSource, Translated } from "../row-source.ts";
import { hasTable, rowsInOrder } from "../rows-in-order.ts";
import { documentIn, documentOf, partsOf } from "./chat-document.ts";
import { grantsOf, type ImportedGrant } from "./grants.ts";
import { timesOf } from "./knowledge.ts";
import { readMessageTree } from "./message-tree.ts";

/** In older versions a shared chat is a row of `chat` with this as its owner, and the id of the chat behind it. */
const oldOwner = "shared-";
/** Everybody with an account could open it. */
const forAll: ImportedGrant[] = [{ principal_type: "user", principal_id: "*", permission: "read" }];

/** The chat that the row is a link of, where it is one. */
export function oldShareOf(row: Row): string | undefined {
  const owner = textOf(row, "user_id");
  return textOf(row, "id") !== undefined && owner?.startsWith(oldOwner) ? owner.slice(oldOwner.length) : undefined;
}

/** Links of older versions. @param ids of their rows */
export async function* oldSharesOf(source: RowSource, ids: readonly string[]): AsyncGenerator<Translated> {
  for await (const page of rowsInOrder(source, "chat", ids)) {
    for (const row of page) yield* recordsOf(row, oldShareOf(row), forAll);
  }
}

/** Links of newer versions, which have a table. Who may read them is said of the chat. @param known those that were read before */
export async function* sharesOf(reading: Reading, known: ReadonlySet<string>): AsyncGenerator<Translated> {
  const { source } = reading;
  if (!(await hasTable(source, "shared_chat"))) return;
  const hasGrants = await hasTable(source, "access_grant");
  for await (const page of pagesOf(source.rows("shared_chat"), 20)) {
    const rows = page.filter((row) => !known.has(textOf(row, "id") ?? ""));
    const grants = hasGrants
      ? await grantsOf(
          reading,
          "shared_chat",
          rows.map((row) => ({ id: row["chat_id"] })),
        )
      : rows.map(() => forAll);
    for (const [index, row] of rows.entries()) yield* recordsOf(row, textOf(row, "chat_id"), grants[index]!);
  }
}

function* recordsOf(row: Row, chatId: string | undefined, grants: ImportedGrant[]): Generator<Translated> {
  const id = textOf(row, "id");
  if (id === undefined) return;
  const document = documentIn(row);
  if (chatId === undefined || document === undefined) {
    yield {
      leftOut: {
        kind: "chat_share",
        id,
        reason: chatId === undefined ? "It has no chat" : "What it shows cannot be read",
      },
    };
    return;
  }
  const tree = readMessageTree(chatId, document, []);
  const [first = [], ...others] = partsOf(tree);
  const history = document["history"] as { currentId?: unknown } | undefined;
  const notes = [...tree.notes];
  if (others.length > 0) notes.push("It shows only the beginning: the chat is too large");
  yield {
    record: {
      kind: "chat_share",
      id,
      chat_id: chatId,
      title: (textOf(row, "title") ?? "").slice(0, 1000),
      chat: {
        ...fitObject(documentOf(document), 100_000, ["models"]),
        history: { currentId: tree.idOf(history?.currentId) ?? null, messages: Object.fromEntries(first) },
      },
      access_grants: grants,
      notes,
      ...timesOf(row),
    },
  };
}
