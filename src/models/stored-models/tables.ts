import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, flag, json, updatedAt } from "../../db/columns.ts";
import { users } from "../../people/users/tables.ts";

/** Custom models, and administrators' settings of providers' models (with the provider's id and without a base). */
export const storedModels = sqliteTable(
  "stored_models",
  {
    id: text("id").primaryKey(),
    userId: text("user_id").references(() => users.id, { onDelete: "set null" }),
    baseModelId: text("base_model_id"),
    name: text("name").notNull(),
    meta: json<Record<string, unknown>>("meta").notNull(),
    params: json<Record<string, unknown>>("params").notNull(),
    isActive: flag("is_active").notNull().default(true),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index("stored_models_user").on(table.userId), index("stored_models_base").on(table.baseModelId)],
);

/** Separate from the models, so that the catalogue never loads a picture. Small ones only: see `maxPictureLength`. */
export const modelPictures = sqliteTable("model_pictures", {
  modelId: text("model_id")
    .primaryKey()
    .references(() => storedModels.id, { onDelete: "cascade" }),
  /** `data:image/...;base64,...`, or an http(s) address. */
  url: text("url").notNull(),
});
