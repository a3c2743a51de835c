import { requireAdmin, requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { loadSnapshot } from "../catalog/catalog-snapshot.ts";
import { mayEdit, mayRead } from "../catalog/visibility.ts";
import type { ModelPageQuery, StoredModelView } from "./schema.ts";
import { isHidden, tagsOf, type StoredModel } from "./stored-model.ts";
import { storedModelView, withKnowledge } from "./stored-models.ts";

/** Open WebUI's page size. */
const pageSize = 30;

/** The custom models that the caller can see, hidden ones for people who may edit them; filtered, sorted, one page. */
export async function listStoredModels(
  ctx: Context,
  input: ModelPageQuery,
): Promise<{ items: StoredModelView[]; total: number }> {
  const { models, view, viewer, snapshot, mayChange } = await readable(ctx);
  const words = (input.query ?? "")
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const found = models.filter((model) => {
    const text = `${model.id} ${model.name} ${String(model.meta.description ?? "")}`.toLowerCase();
    const isOwn = model.userId === viewer.id;
    const isInView = input.view_option === "created" ? isOwn : input.view_option === "shared" ? !isOwn : true;
    return (
      isInView &&
      (input.writable !== true || mayChange(model)) &&
      words.every((word) => text.includes(word)) &&
      (!input.tag || tagsOf(model.meta).includes(input.tag))
    );
  });
  found.sort(orderBy(input.order_by, input.direction));
  const start = ((input.page ?? 1) - 1) * pageSize;
  const items = await withKnowledge(ctx, snapshot, found.slice(start, start + pageSize).map(view));
  return { items, total: found.length };
}

function orderBy(field: ModelPageQuery["order_by"], direction: ModelPageQuery["direction"]) {
  const sign = (direction ?? (field === "name" ? "asc" : "desc")) === "asc" ? 1 : -1;
  return (a: StoredModel, b: StoredModel): number => {
    const by =
      field === "name"
        ? a.name.localeCompare(b.name)
        : field === "created_at"
          ? a.createdAt - b.createdAt
          : a.updatedAt - b.updatedAt;
    return by === 0 ? (a.id < b.id ? -1 : 1) : by * sign;
  };
}

/** Tags of the custom models that the caller can see, sorted. */
export async function listModelTags(ctx: Context): Promise<string[]> {
  const { models } = await readable(ctx);
  return [...new Set(models.flatMap((model) => tagsOf(model.meta)))].sort((a, b) => a.localeCompare(b));
}

/**
 * The stored settings of providers' models.
 * @throws AppError `forbidden`.
 */
export async function listBaseModels(ctx: Context): Promise<StoredModelView[]> {
  requireAdmin(ctx);
  const snapshot = await loadSnapshot(ctx);
  const models = [...snapshot.stored.values()]
    .filter((model) => model.baseModelId === null)
    .map((model) => storedModelView(model, snapshot.grants.get(model.id) ?? [], true));
  return withKnowledge(ctx, snapshot, models);
}

async function readable(ctx: Context) {
  const viewer = requireUser(ctx);
  const snapshot = await loadSnapshot(ctx);
  const rules = { snapshot, settings: ctx.settings, viewer };
  const models = [...snapshot.stored.values()].filter(
    (model) =>
      model.baseModelId !== null &&
      mayRead(rules, model) &&
      (mayEdit(rules, model) || (model.isActive && !isHidden(model))),
  );
  const view = (model: StoredModel) =>
    storedModelView(model, snapshot.grants.get(model.id) ?? [], mayEdit(rules, model));
  return { viewer, models, view, snapshot, mayChange: (model: StoredModel) => mayEdit(rules, model) };
}
