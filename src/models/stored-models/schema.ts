import * as z from "zod";
import { accessControl, grantList, storedGrant } from "../../people/grants/schema.ts";

/** Open WebUI's limit. */
const maxIdLength = 256;
const unprintable = /[\p{Cc}\p{Cs}]/u;

const modelId = z
  .string()
  .trim()
  .min(1)
  .max(maxIdLength)
  .refine((text) => !unprintable.test(text), "An id cannot have control characters");
const modelName = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine((text) => !unprintable.test(text), "A name cannot have line breaks");

/** All other fields of clients are stored unchanged. */
const modelMeta = z.looseObject({
  /** An http(s) address, a data URL of a small picture, or the address under which the service serves it. */
  profile_image_url: z.string().max(420_000).nullish(),
  description: z.string().max(10_000).nullish(),
  hidden: z.boolean().nullish(),
});

/** `system` and the parameters of a completion; unknown keys are passed to the provider. */
const modelParams = z.looseObject({ system: z.string().max(100_000).nullish() });

const fields = {
  base_model_id: modelId.nullish().transform((value) => value ?? null),
  name: modelName,
  meta: modelMeta,
  params: modelParams,
  is_active: z.boolean(),
};
const sharing = {
  access_grants: grantList.nullish(),
  /** Open WebUI's older format of grants. */
  access_control: accessControl.optional(),
};

export const newModel = z.object({
  id: modelId,
  base_model_id: fields.base_model_id,
  name: fields.name,
  meta: fields.meta.default({}),
  params: fields.params.default({}),
  is_active: fields.is_active.default(true),
  ...sharing,
});
export type NewModel = z.infer<typeof newModel>;

/** Only the given fields change; `meta`, `params` and the grants are replaced completely. */
export const modelChange = z.object({
  id: modelId,
  base_model_id: modelId.nullable().optional(),
  name: fields.name.optional(),
  meta: fields.meta.optional(),
  params: fields.params.optional(),
  is_active: fields.is_active.optional(),
  /** The `updated_at` of what was edited: a model that was changed since is not written over. */
  if_unmodified_since: z.number().int().optional(),
  ...sharing,
});
export type ModelChange = z.infer<typeof modelChange>;

export const modelIdBody = z.object({ id: modelId });
export const modelIdQuery = z.object({ id: modelId });

export const exportQuery = z.object({
  /** Only the model with this id. */
  id: modelId.optional(),
});

export const accessChange = z.object({ id: modelId, name: modelName.optional(), ...sharing });
export type AccessChange = z.infer<typeof accessChange>;

export const importedModels = z.object({ models: z.array(newModel).max(500) });

export const storedModelView = z.object({
  id: z.string(),
  user_id: z.string().nullable(),
  base_model_id: z.string().nullable(),
  name: z.string(),
  meta: z.record(z.string(), z.unknown()),
  /** Empty for people who may only use the model: a system prompt may be confidential. */
  params: z.record(z.string(), z.unknown()),
  /** Empty for people who may only use the model. */
  access_grants: z.array(storedGrant),
  is_active: z.boolean(),
  write_access: z.boolean(),
  created_at: z.number().int(),
  updated_at: z.number().int(),
});
export type StoredModelView = z.infer<typeof storedModelView>;

export const modelPage = z.object({ items: z.array(storedModelView), total: z.number().int() });

export const modelPageQuery = z.object({
  query: z.string().max(200).optional(),
  tag: z.string().max(100).optional(),
  /** `created`: the caller's own; `shared`: other people's. */
  view_option: z.string().max(20).optional(),
  /** Only those that the caller may change. */
  writable: z.stringbool().optional(),
  order_by: z.enum(["name", "created_at", "updated_at"]).optional(),
  direction: z.enum(["asc", "desc"]).optional(),
  page: z.coerce.number().int().min(1).max(100_000).optional(),
});
export type ModelPageQuery = z.infer<typeof modelPageQuery>;
