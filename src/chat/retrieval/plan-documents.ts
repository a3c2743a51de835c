import type { ModelKnowledge } from "../../models/catalog/catalog-snapshot.ts";
import type { AskedItems } from "./asked-items.ts";
import { isSearchable, type Documents, type KnownFile } from "./find-documents.ts";
import { missingNote, unreadNote, type RetrievalNote } from "./note.ts";

/** Which documents are used, and how. */
export interface DocumentPlan {
  /** Files that the person attached, to search. */
  attached: KnownFile[];
  /** Other files to search. */
  files: string[];
  collections: string[];
  /** Files and collections to include completely. */
  whole: KnownFile[];
  wholeCollections: string[];
  /** Names of everything that is searched or included. */
  names: string[];
  notes: RetrievalNote[];
}

/**
 * Decides what is searched and what is included completely. Documents that the person named but that cannot be used are
 * noted; parts of the model's knowledge that the caller may not read are not mentioned.
 */
export function planDocuments(asked: AskedItems, knowledge: readonly ModelKnowledge[], found: Documents): DocumentPlan {
  const plan: DocumentPlan = {
    attached: [],
    files: [],
    collections: [],
    whole: [],
    wholeCollections: [],
    names: [],
    notes: [],
  };
  for (const document of asked.documents) {
    const { type, id, isWhole } = document;
    const known = type === "file" ? found.files.get(id) : found.collections.get(id);
    if (!known) plan.notes.push(missingNote(document));
    else if ("name" in known) {
      (isWhole ? plan.wholeCollections : plan.collections).push(id);
      plan.names.push(known.name);
    } else if (!isSearchable(known)) plan.notes.push(unreadNote(known));
    else {
      plan.names.push(known.filename);
      (isWhole ? plan.whole : plan.attached).push(known);
    }
  }
  const taken = new Set(asked.documents.map(({ type, id }) => `${type}/${id}`));
  for (const { kind, targetId: id } of knowledge) {
    if (taken.has(`${kind}/${id}`)) continue;
    taken.add(`${kind}/${id}`);
    const collection = kind === "collection" ? found.collections.get(id) : undefined;
    const file = kind === "file" ? found.files.get(id) : undefined;
    if (collection) {
      plan.collections.push(id);
      plan.names.push(collection.name);
    } else if (file && isSearchable(file)) {
      plan.files.push(id);
      plan.names.push(file.filename);
    }
  }
  return plan;
}
