import { isRecord } from "../../lib/json.ts";

/** A stored model as the catalogue keeps it. */
export interface StoredModel {
  /** The id of a custom model, or that of the provider's model that the settings belong to. */
  id: string;
  userId: string | null;
  /** The base of a custom model; null for settings of a provider's model. */
  baseModelId: string | null;
  name: string;
  /** Without the picture: see `model_pictures`. */
  meta: Record<string, unknown>;
  params: Record<string, unknown>;
  isActive: boolean;
  hasPicture: boolean;
  /** Whether an administrator owns it: then a grant on it also covers its base. */
  ownerIsAdmin: boolean;
  createdAt: number;
  updatedAt: number;
}

/** The address of a model's picture; the version changes it with the picture. */
export function pictureUrl(model: Pick<StoredModel, "id" | "updatedAt">): string {
  return `/api/v1/models/model/profile/image?id=${encodeURIComponent(model.id)}&v=${model.updatedAt}`;
}

/** `meta` for clients: the picture only as an address. */
export function metaView(model: StoredModel): Record<string, unknown> {
  return model.hasPicture ? { ...model.meta, profile_image_url: pictureUrl(model) } : model.meta;
}

export function isHidden(model: StoredModel | undefined): boolean {
  return model?.meta.hidden === true;
}

/** Names in `meta.tags`, which are `[{name}]` or plain texts. */
export function tagsOf(meta: Record<string, unknown>): string[] {
  const tags = Array.isArray(meta.tags) ? meta.tags : [];
  const names = tags.map((tag: unknown) => (isRecord(tag) ? tag.name : tag));
  return [...new Set(names.filter((name): name is string => typeof name === "string" && name !== ""))];
}
