import type { GrantView } from "../../../../people/grants/schema.ts";

export interface ModelMeta {
  description?: string | null;
  profile_image_url?: string | null;
  hidden?: boolean;
  tags?: unknown;
  [key: string]: unknown;
}

export interface ModelForm {
  id: string;
  base_model_id: string | null;
  name: string;
  meta: ModelMeta;
  params: Record<string, unknown>;
  access_grants: GrantView[];
  is_active: boolean;
  /** When the model that is being changed was changed before. */
  if_unmodified_since?: number;
}

/** Tag names, which are stored as `[{name}]` or as plain texts. */
export function tagsOf(meta: ModelMeta | undefined): string[] {
  const tags = Array.isArray(meta?.tags) ? (meta.tags as unknown[]) : [];
  return tags.flatMap((tag) => {
    const name = typeof tag === "object" && tag !== null && "name" in tag ? tag.name : tag;
    return typeof name === "string" && name !== "" ? [name] : [];
  });
}

/** An id for a name: small letters, digits and dashes. */
export function idFor(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}.]+/gu, "-")
    .replace(/^-+|-+$/g, "");
}
