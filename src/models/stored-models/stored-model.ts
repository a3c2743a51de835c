import { isRecord } from "../../lib/json.ts";

/** A stored model as the catalogue keeps it. */
export interface StoredModel {
  /** For a made model its own id; for what administrators say of a provider's model, that model's id. */
  id: string;
  userId: string | null;
  /** The provider's model that a made model stands on; null for what is said of a provider's model. */
  baseModelId: string | null;
  name: string;
  /** Without the picture: see `model_pictures`. */
  meta: Record<string, unknown>;
  params: Record<string, unknown>;
  isActive: boolean;
  hasPicture: boolean;
  /** Whether an administrator owns it: then a grant on it is enough to use its base. */
  ownerIsAdmin: boolean;
  createdAt: number;
  updatedAt: number;
}

/** Where clients load a model's picture; the version makes a new picture a new address. */
export function pictureUrl(model: Pick<StoredModel, "id" | "updatedAt">): string {
  return `/api/v1/models/model/profile/image?id=${encodeURIComponent(model.id)}&v=${model.updatedAt}`;
}

/** `meta` as clients get it: the picture by address only. */
export function metaView(model: StoredModel): Record<string, unknown> {
  return model.hasPicture ? { ...model.meta, profile_image_url: pictureUrl(model) } : model.meta;
}

export function isHidden(model: StoredModel | undefined): boolean {
  return model?.meta.hidden === true;
}

/** Names under `meta.tags`, which come as `[{name}]` or as plain texts. */
export function tagsOf(meta: Record<string, unknown>): string[] {
  const tags = Array.isArray(meta.tags) ? meta.tags : [];
  const names = tags.map((tag: unknown) => (isRecord(tag) ? tag.name : tag));
  return [...new Set(names.filter((name): name is string => typeof name === "string" && name !== ""))];
}
