import { eq } from "drizzle-orm";
import { sql } from "drizzle-orm";
import * as z from "zod";
import { requireAdmin } from "../../access.ts";
import { AppError } from "../../errors.ts";
import { isRecord } from "../../lib/json.ts";
import { loadSnapshot } from "../../models/catalog/catalog-snapshot.ts";
import { checkBase, checkIdIsFree } from "../../models/stored-models/check-model.ts";
import { insertModel } from "../../models/stored-models/model-statements.ts";
import { parsePicture } from "../../models/stored-models/parse-picture.ts";
import { newModel } from "../../models/stored-models/schema.ts";
import { storedModels } from "../../models/stored-models/tables.ts";
import { time } from "../../people/schema.ts";
import { grantReferences, grantsField, resolveGrants } from "../grants.ts";
import { defineKind, type ImportRun, type Outcome, type Reference } from "../kind.ts";
import { leftField, leftNotes, lineOf } from "../report-notes.ts";
import { sourceId } from "../schema.ts";

const record = z.record(z.string(), z.unknown());

const shape = z.object({
  kind: z.literal("model"),
  id: sourceId,
  person_id: sourceId.nullish(),
  /** Null for what is set of a provider's model. */
  base_model_id: sourceId.nullish(),
  name: z.string().max(10_000),
  /** Without its picture and its knowledge. */
  meta: record.default({}),
  params: record.default({}),
  picture: z.string().max(10_000_000).nullish(),
  knowledge: z
    .array(z.object({ type: z.enum(["file", "collection"]), id: sourceId }))
    .max(1000)
    .default([]),
  is_active: z.boolean().default(true),
  access_grants: grantsField,
  created_at: time.nullish(),
  updated_at: time.nullish(),
  left: leftField,
});
type Model = z.infer<typeof shape>;

/** Which lists of `meta` name plugins. */
const pluginLists = {
  toolIds: "tool",
  filterIds: "function",
  defaultFilterIds: "function",
  actionIds: "function",
} as const;

/** A custom model, or what is set of a provider's. */
export const modelKind = defineKind<Model>({
  shape,
  references: (given) => [
    ...(given.person_id ? [{ kind: "person", id: given.person_id }] : []),
    ...(given.base_model_id ? [{ kind: "model", id: given.base_model_id }] : []),
    ...given.knowledge.map((each) => knowledgeReference(each)),
    ...Object.entries(pluginLists).flatMap(([field, kind]) => idsOf(given.meta[field]).map((id) => ({ kind, id }))),
    ...grantReferences(given.access_grants),
  ],
  taken: (ids) => sql`SELECT id FROM stored_models WHERE id IN ${ids}`,
  otherId: (id) => `${id.slice(0, 200)}-${crypto.randomUUID().slice(0, 8)}`,
  plan: planModel,
});

function knowledgeReference({ type, id }: Model["knowledge"][number]): Reference {
  return { kind: type === "file" ? "file" : "knowledge", id };
}

async function planModel(run: ImportRun, given: Model, id: string): Promise<Outcome> {
  const { ctx } = run;
  const user = requireAdmin(ctx);
  const baseId = given.base_model_id ? mappedBase(run, given.base_model_id) : null;
  if (id !== given.id) {
    const [there] = await ctx.db.select().from(storedModels).where(eq(storedModels.id, given.id));
    if (there && there.baseModelId === baseId && isSame(there.params, given.params) && there.name === given.name.trim())
      return { matched: given.id };
    if (baseId === null) return { leftOut: "This model has settings here already" };
  }
  const notes: string[] = [];
  const meta = { ...given.meta, ...pluginsOf(run, given.meta, notes), knowledge: knowledgeOf(run, given, notes) };
  const picture = pictureOf(given, notes);
  const parsed = newModel.safeParse({
    id,
    base_model_id: baseId,
    name: lineOf(given.name, 200) || id,
    meta: { ...meta, profile_image_url: picture },
    params: given.params,
    is_active: given.is_active,
  });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new AppError("validation_failed", `${issue!.path.join(".")}: ${issue!.message}`);
  }
  const snapshot = await loadSnapshot(ctx);
  await checkBase(ctx, user, snapshot, id, baseId);
  checkIdIsFree(ctx, snapshot, id, baseId);
  const owner = given.person_id ? run.find("person", given.person_id) : undefined;
  if (given.person_id && owner === undefined) notes.push("Its owner wasn't imported: nobody owns it");
  const grants = resolveGrants(run, given.access_grants);
  const createdAt = given.created_at ?? ctx.now();
  return {
    statements: insertModel(ctx, owner === undefined ? null : { id: owner }, parsed.data, grants.given, {
      createdAt,
      updatedAt: given.updated_at ?? createdAt,
    }),
    notes: [...notes, ...grants.notes, ...leftNotes(given.left)],
  };
}

/** Ids of providers' models are the same here. */
function mappedBase(run: ImportRun, baseId: string): string {
  return run.find("model", baseId) ?? baseId;
}

/** The lists of plugins with their ids here. */
function pluginsOf(run: ImportRun, meta: Model["meta"], notes: string[]): Record<string, string[]> {
  const mapped: Record<string, string[]> = {};
  const missing: string[] = [];
  for (const [field, kind] of Object.entries(pluginLists)) {
    if (!(field in meta)) continue;
    mapped[field] = idsOf(meta[field]).flatMap((id) => {
      const found = run.find(kind, id);
      if (found === undefined) missing.push(id);
      return found ?? [];
    });
  }
  if (missing.length > 0) notes.push(`Plugins that weren't imported: ${missing.join(", ").slice(0, 1000)}`);
  return mapped;
}

function knowledgeOf(run: ImportRun, { knowledge }: Model, notes: string[]): Model["knowledge"] {
  const found = knowledge.flatMap((each) => {
    const { kind, id } = knowledgeReference(each);
    const target = run.find(kind, id);
    return target === undefined ? [] : [{ type: each.type, id: target }];
  });
  const missing = knowledge.length - found.length;
  if (missing > 0) notes.push(`${missing} of its files and knowledge bases weren't imported`);
  return found;
}

function pictureOf({ picture }: Model, notes: string[]): string | null {
  try {
    parsePicture(picture);
    return picture ?? null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    notes.push("The picture wasn't kept: it isn't a PNG, JPEG, WebP or GIF of at most 300 KB");
    return null;
  }
}

function idsOf(list: unknown): string[] {
  return Array.isArray(list)
    ? list.filter((id): id is string => typeof id === "string" && sourceId.safeParse(id).success)
    : [];
}

function isSame(one: Record<string, unknown>, other: Record<string, unknown>): boolean {
  return isRecord(one) && JSON.stringify(one) === JSON.stringify(other);
}
