import { and, eq, ne, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { User } from "../../access.ts";
import type { Context } from "../../context.ts";
import {
  readMetaKnowledge,
  selectMetaKnowledge,
  withoutKnowledge,
} from "../../documents/knowledge/models/meta-knowledge.ts";
import { modelKnowledgeStatements } from "../../documents/knowledge/models/statements.ts";
import { auditRow, auditRowIf } from "../../people/audit/audit-row.ts";
import { replaceGrants } from "../../people/grants/grants.ts";
import type { GrantView } from "../../people/grants/schema.ts";
import { grants } from "../../people/grants/tables.ts";
import { checkSize } from "./check-model.ts";
import { parsePicture, type PictureChange } from "./parse-picture.ts";
import type { ModelChange, NewModel } from "./schema.ts";
import type { StoredModel } from "./stored-model.ts";
import { modelPictures, storedModels } from "./tables.ts";

export type Statement = BatchItem<"sqlite">;

/**
 * `meta` without its picture, and the change to the picture.
 * @throws AppError `validation_failed`.
 */
function splitMeta(meta: NewModel["meta"]): { meta: Record<string, unknown>; picture: PictureChange } {
  const { profile_image_url: picture, ...rest } = withoutKnowledge(meta) as NewModel["meta"];
  checkSize("meta", rest);
  return { meta: rest, picture: parsePicture(picture) };
}

function exists(id: string) {
  return sql`EXISTS (SELECT 1 FROM ${storedModels} WHERE ${storedModels.id} = ${id})`;
}

/**
 * All statements for a new model; an existing id fails the whole batch.
 * @param user whose it is
 * @param times when it was made and changed elsewhere
 */
export function insertModel(
  ctx: Context,
  user: Pick<User, "id"> | null,
  input: NewModel,
  given: GrantView[],
  times?: { createdAt: number; updatedAt: number },
): Statement[] {
  const now = ctx.now();
  const { meta, picture } = splitMeta(input.meta);
  checkSize("params", input.params);
  return [
    ctx.db.insert(storedModels).values({
      id: input.id,
      userId: user?.id ?? null,
      baseModelId: input.base_model_id,
      name: input.name,
      meta,
      params: input.params,
      isActive: input.is_active,
      createdAt: now,
      updatedAt: now,
      ...times,
    }),
    ...(picture !== "keep" && picture.url !== null
      ? [ctx.db.insert(modelPictures).values({ modelId: input.id, url: picture.url })]
      : []),
    ...replaceGrants(ctx, "model", input.id, given, exists(input.id)),
    ...knowledgeOf(ctx, input.id, input.meta),
    auditRow(ctx, {
      action: "model.created",
      targetType: "model",
      targetId: input.id,
      detail: { name: input.name, base_model_id: input.base_model_id, access_grants: given },
    }),
  ];
}

/** Fails the whole batch if the model was changed after that: a model cannot be without a name. */
function refuseNewer(ctx: Context, id: string, unmodifiedSince: number): Statement {
  return ctx.db
    .update(storedModels)
    .set({ name: sql`NULL` })
    .where(and(eq(storedModels.id, id), ne(storedModels.updatedAt, unmodifiedSince)));
}

/** The statements for a change. */
export function updateModel(
  ctx: Context,
  stored: StoredModel,
  change: ModelChange,
  given: GrantView[] | undefined,
): Statement[] {
  const { id } = stored;
  const split = change.meta && splitMeta(change.meta);
  if (change.params) checkSize("params", change.params);
  const picture = split?.picture ?? "keep";
  const since = change.if_unmodified_since;
  return [
    ...(since === undefined ? [] : [refuseNewer(ctx, id, since)]),
    ctx.db
      .update(storedModels)
      .set({
        // A picture's address holds the time, so it must move on even within one second.
        updatedAt: sql`max(${ctx.now()}, ${storedModels.updatedAt} + 1)`,
        ...(change.base_model_id !== undefined ? { baseModelId: change.base_model_id } : {}),
        ...(change.name !== undefined ? { name: change.name } : {}),
        ...(split ? { meta: split.meta } : {}),
        ...(change.params ? { params: change.params } : {}),
        ...(change.is_active !== undefined ? { isActive: change.is_active } : {}),
      })
      .where(eq(storedModels.id, id)),
    auditRowIf(ctx, {
      action: "model.updated",
      targetType: "model",
      targetId: id,
      detail: {
        fields: Object.keys(change).filter((name) => name !== "id" && name !== "if_unmodified_since"),
        ...(given ? { access_grants: given } : {}),
      },
    }),
    ...(picture === "keep" ? [] : [ctx.db.delete(modelPictures).where(eq(modelPictures.modelId, id))]),
    ...(picture !== "keep" && picture.url !== null
      ? [ctx.db.insert(modelPictures).select(sql`SELECT ${id}, ${picture.url} WHERE ${exists(id)}`)]
      : []),
    ...(given ? replaceGrants(ctx, "model", id, given, exists(id)) : []),
    ...(change.meta ? knowledgeOf(ctx, id, change.meta) : []),
  ];
}

/**
 * `meta.knowledge` is stored in rows of its own, for everyone. Empty if it is missing.
 * @throws AppError `validation_failed`
 */
function knowledgeOf(ctx: Context, id: string, meta: NewModel["meta"]): Statement[] {
  const knowledge = readMetaKnowledge(meta);
  return knowledge ? modelKnowledgeStatements(ctx, id, null, knowledge, exists(id)) : [];
}

/** Reads what a batch wrote, as its last three statements. */
export function selectModel(ctx: Context, id: string) {
  return [
    ctx.db
      .select({ model: storedModels, picture: modelPictures.modelId })
      .from(storedModels)
      .leftJoin(modelPictures, eq(modelPictures.modelId, storedModels.id))
      .where(eq(storedModels.id, id)),
    ctx.db
      .select()
      .from(grants)
      .where(sql`${grants.resourceType} = 'model' AND ${grants.resourceId} = ${id}`)
      .orderBy(grants.id),
    selectMetaKnowledge(ctx, [id]),
  ] as const;
}
