import type { ModelKnowledge } from "../../models/catalog/catalog-snapshot.ts";
import type { AskedItems } from "./asked-items.ts";
import type { Documents, KnownCollection, KnownFile } from "./find-documents.ts";

type View = Record<string, unknown>;

/**
 * The documents of a turn in the form for functions and tools (`__files__`): the request's entries with what is known
 * of each. Documents that the caller may not read are left out.
 * @param added what the model's knowledge adds
 */
export function fileViews(asked: AskedItems, added: readonly ModelKnowledge[], found: Documents): View[] {
  const own = asked.documents.flatMap(({ type, id, given }) => viewOf(type, id, given, found));
  const texts = asked.texts.map(({ given }) => given);
  const taken = new Set(asked.documents.map(({ type, id }) => `${type}/${id}`));
  const others = added.filter(({ kind, targetId }) => !taken.has(`${kind}/${targetId}`));
  return [...own, ...texts, ...knowledgeViews(others, found)];
}

/** A model's knowledge in the form for functions (`__model_knowledge__`). */
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

/** In the format of Open WebUI's clients: functions look for what they need in `file`. */
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
