import { inArray, sql } from "drizzle-orm";
import { requireAdmin, requirePermission, type User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { keepKnown } from "../../documents/knowledge/models/meta-knowledge.ts";
import { AppError } from "../../errors.ts";
import { auditRowIf } from "../../people/audit/audit-row.ts";
import { loadSnapshot } from "../catalog/catalog-snapshot.ts";
import { mayEdit } from "../catalog/visibility.ts";
import type { Statement } from "./model-statements.ts";
import type { NewModel, StoredModelView } from "./schema.ts";
import { alteration, creation, runBatch, storedModelView, withKnowledge } from "./stored-models.ts";
import { modelPictures, storedModels } from "./tables.ts";

/**
 * The models that the caller may change, or the one with the id, with their pictures, in the format of `importModels`.
 * @throws AppError `forbidden`; `not_found` for an id that is not among them.
 */
export async function exportModels(ctx: Context, id?: string): Promise<StoredModelView[]> {
  const user = requirePermission(ctx, "workspace.models");
  const snapshot = await loadSnapshot(ctx);
  const rules = { snapshot, settings: ctx.settings, viewer: user };
  const models = [...snapshot.stored.values()].filter(
    (model) => (id === undefined || model.id === id) && mayEdit(rules, model),
  );
  if (id !== undefined && models.length === 0)
    throw new AppError("not_found", `No stored model with the id ${id}`, { param: "id" });
  const pictured = models.filter((model) => model.hasPicture).map((model) => model.id);
  const rows =
    pictured.length === 0
      ? []
      : await ctx.db.select().from(modelPictures).where(inArray(modelPictures.modelId, pictured));
  const pictures = new Map(rows.map((row) => [row.modelId, row.url]));
  const views = models.map((model) => {
    const view = storedModelView(model, snapshot.grants.get(model.id) ?? [], true);
    const picture = pictures.get(model.id);
    return picture === undefined ? view : { ...view, meta: { ...view.meta, profile_image_url: picture } };
  });
  return withKnowledge(ctx, snapshot, views);
}

/**
 * Creates models and changes existing ones: all of them or none.
 * @throws AppError `forbidden`, `validation_failed` and the errors of creating or changing each; the message names the
 *   model.
 */
export async function importModels(ctx: Context, models: NewModel[]): Promise<void> {
  const user = requirePermission(ctx, "workspace.models");
  await runBatch(ctx, await importing(ctx, user, models), "imported");
}

/**
 * The same, and deletes models that are not in the list.
 * @throws AppError as `importModels`.
 */
export async function syncModels(ctx: Context, models: NewModel[]): Promise<void> {
  const user = requireAdmin(ctx);
  const kept = JSON.stringify(models.map((model) => model.id));
  await runBatch(
    ctx,
    [
      ...(await importing(ctx, user, models)),
      ctx.db.delete(storedModels).where(sql`${storedModels.id} NOT IN (SELECT value FROM json_each(${kept}))`),
      auditRowIf(ctx, { action: "model.synchronized", targetType: "model", targetId: "*" }),
    ],
    "imported",
  );
}

async function importing(ctx: Context, user: User, given: NewModel[]): Promise<Statement[]> {
  const snapshot = await loadSnapshot(ctx);
  const models = await keepKnown(ctx, snapshot, given);
  const rules = { snapshot, settings: ctx.settings, viewer: user };
  const seen = new Set<string>();
  const statements: Statement[] = [];
  for (const model of models) {
    if (seen.has(model.id)) throw new AppError("validation_failed", `${model.id} is listed twice`, { param: "models" });
    seen.add(model.id);
    const stored = snapshot.stored.get(model.id);
    try {
      if (!stored) statements.push(...(await creation(ctx, user, snapshot, model)));
      else if (mayEdit(rules, stored))
        statements.push(...(await alteration(ctx, { user, snapshot, stored, canWrite: true }, model)));
      else throw new AppError("forbidden", "it is someone else's");
    } catch (error) {
      if (error instanceof AppError)
        throw new AppError(error.code, `${model.id}: ${error.message}`, {
          param: "models",
          // What is shown beside a field alone has to say which model it is too.
          ...(error.issues
            ? { issues: error.issues.map((issue) => ({ ...issue, message: `${model.id}: ${issue.message}` })) }
            : {}),
        });
      throw error;
    }
  }
  return statements;
}
