import { inArray, sql } from "drizzle-orm";
import { requireUser } from "../../../access.ts";
import type { Context } from "../../../context.ts";
import { isRecord, textsIn } from "../../../lib/json.ts";
import type { Snapshot } from "../../../models/catalog/catalog-snapshot.ts";
import { readableFile, readableKnowledge } from "../readable.ts";
import { modelKnowledge } from "../tables.ts";
import { keyOf, selectReadable, uniqueReferences, wrong, type Readable } from "./references.ts";
import type { KnowledgeReference } from "./schema.ts";

type Meta = Record<string, unknown>;

/**
 * The peer's `meta.knowledge` of a model as what it names: entries of the type `collection` or `file`, and the older ones that
 * name collections. Undefined where it is not there: then it stays as it is.
 * @throws AppError `validation_failed` for entries of other kinds
 */
export function readMetaKnowledge(meta: Meta): KnowledgeReference[] | undefined {
  const { knowledge } = meta;
  if (knowledge === undefined) return undefined;
  if (knowledge === null) return [];
  if (!Array.isArray(knowledge)) throw wrong("meta.knowledge", "Expected a list of knowledge bases and files");
  return uniqueReferences(
    knowledge.flatMap((entry: unknown) => {
      const named = referencesIn(entry);
      if (named.length === 0) throw wrong("meta.knowledge", "An entry needs an id and the type collection or file");
      return named;
    }),
  );
}

function referencesIn(entry: unknown): KnowledgeReference[] {
  if (!isRecord(entry)) return [];
  const { id, type } = entry;
  const names = [...textsIn(entry.collection_names), ...textsIn([entry.collection_name])];
  if (typeof id === "string" && id !== "" && id.length <= 100) {
    if (type === "collection" || type === "file") return [{ type, id }];
    if (type === undefined && names.length === 0) return [{ type: "collection", id }];
  }
  return names
    .filter((name) => name !== "" && name.length <= 100)
    .map((name) =>
      name.startsWith("file-") ? { type: "file", id: name.slice("file-".length) } : { type: "collection", id: name },
    );
}

/** `meta` without what stands in rows of its own. */
export function withoutKnowledge(meta: Meta): Meta {
  const { knowledge: _knowledge, ...rest } = meta;
  return rest;
}

/**
 * Models that come from elsewhere name bases that are not here: those are left out, so that the rest can be taken.
 */
export async function keepKnown<T extends { id: string; meta: Meta }>(
  ctx: Context,
  snapshot: Pick<Snapshot, "knowledge">,
  models: T[],
): Promise<T[]> {
  const lists = models.map(({ meta }) =>
    Array.isArray(meta.knowledge) ? uniqueReferences(meta.knowledge.flatMap(referencesIn)) : undefined,
  );
  const named = uniqueReferences(lists.flatMap((list) => list ?? []));
  if (named.length === 0 && lists.every((list) => list === undefined)) return models;
  const readable = await ctx.db.all<Readable>(selectReadable(requireUser(ctx), named));
  const known = new Set(readable.map(keyOf));
  return models.map((model, at) => {
    const list = lists[at];
    if (!list) return model;
    const before = new Set(knownFor(snapshot, model.id).map(keyOf));
    const isKept = (each: KnowledgeReference) => known.has(keyOf(each)) || before.has(keyOf(each));
    const left = list.filter((each) => !isKept(each));
    if (left.length > 0)
      ctx.log.warn("an imported model refers to knowledge that does not exist", { model_id: model.id, left_out: left });
    return { ...model, meta: { ...model.meta, knowledge: list.filter(isKept) } };
  });
}

/** What a model looks things up in for everyone, as of the snapshot. */
export function knownFor(snapshot: Pick<Snapshot, "knowledge">, modelId: string): KnowledgeReference[] {
  return (snapshot.knowledge.get(modelId) ?? [])
    .filter((each) => each.organizationId === null)
    .map(({ kind, targetId }) => ({ type: kind, id: targetId }));
}

/** Statement: what models look things up in for everyone, with names as they are now. */
export function selectMetaKnowledge(ctx: Context, modelIds: readonly string[]) {
  const user = requireUser(ctx);
  return ctx.db
    .select({
      modelId: modelKnowledge.modelId,
      type: modelKnowledge.kind,
      id: modelKnowledge.targetId,
      // What the caller may not read has no name for them.
      name: sql<
        string | null
      >`CASE kind WHEN 'file' THEN (SELECT files.filename FROM files WHERE files.id = target_id AND ${readableFile(user)})
        ELSE (SELECT knowledge.name FROM knowledge WHERE knowledge.id = target_id AND ${readableKnowledge(user)}) END`,
    })
    .from(modelKnowledge)
    .where(sql`${inArray(modelKnowledge.modelId, [...modelIds])} AND ${modelKnowledge.organizationId} IS NULL`)
    .orderBy(modelKnowledge.createdAt, modelKnowledge.id);
}

export type MetaKnowledge = Awaited<ReturnType<typeof selectMetaKnowledge>>;

/** The view of a model for those who may edit it, with `meta.knowledge` as the peer has it. */
export function showKnowledge<T extends { id: string; meta: Meta; write_access: boolean }>(
  view: T,
  rows: MetaKnowledge,
): T {
  const own = rows.filter((row) => row.modelId === view.id);
  if (!view.write_access || own.length === 0) return view;
  return {
    ...view,
    meta: { ...view.meta, knowledge: own.map(({ type, id, name }) => ({ type, id, name: name ?? "" })) },
  };
}
