import type { ModelKnowledge } from "../../models/catalog/catalog-snapshot.ts";
import type { AskedItems } from "./asked-items.ts";
import type { Documents, KnownCollection, KnownFile } from "./find-documents.ts";

type View = Record<string, unknown>;

/**
 * The documents of a turn as functions and tools find them (`__files__`): entries of the request as they came, with what is known
 * of each. What the caller may not read is not among them.
 * @param added what the model brings along
 */
export function fileViews(asked: AskedItems, added: readonly ModelKnowledge[], found: Documents): View[] {
  const own = asked.documents.flatMap(({ type, id, given }) => viewOf(type, id, given, found));
  const texts = asked.texts.map(({ given }) => given);
  const taken = new Set(asked.documents.map(({ type, id }) => `${type}/${id}`));
  const others = added.filter(({ kind, targetId }) => !taken.has(`${kind}/${targetId}`));
  return [...own, ...texts, ...knowledgeViews(others, found)];
}

/** What a model looks things up in, as functions find it (`__model_knowledge__`). */
export function knowledgeViews(knowledge: readonly ModelKnowledge[], found: Documents): View[] {
  return knowledge.flatMap(({ kind, targetId }) => viewOf(kind, targetId, {}, found));
}

function viewOf(type: "file" | "collection", id: string, given: View, { files, collections }: Documents): View[] {
  const file = type === "file" ? files.get(id) : undefined;
  if (file) return [{ ...given, ...fileView(file) }];
  const collection = type === "collection" ? collections.get(id) : undefined;
  return collection ? [{ ...given, ...collectionView(collection) }] : [];
}

function collectionView({ id, name, description }: KnownCollection): View {
  return { type: "collection", id, name, description };
}

/** As clients of the peer send it: functions look for what they need in `file`. */
function fileView(file: KnownFile): View {
  const { id, filename, contentType, size, sha256, state, userId, createdAt, updatedAt } = file;
  return {
    type: "file",
    id,
    name: filename,
    url: `/api/v1/files/${id}`,
    content_type: contentType,
    size,
    file: {
      id,
      user_id: userId,
      hash: sha256,
      filename,
      data: { status: state === "stored" ? "pending" : state },
      meta: { name: filename, content_type: contentType, size },
      created_at: createdAt,
      updated_at: updatedAt,
    },
  };
}
