import type { RetentionPreview } from "../../../../life/retention/schema.ts";
import type { RetentionKind } from "../../../../shared/retention-kinds.ts";
import { api } from "../../../lib/api.ts";

export type { RetentionPreview };
export type TriedPeriods = Partial<Record<RetentionKind, number | "default">>;

/** Counting goes through everything that is stored. */
const timeout = 120_000;

/** What these periods would remove now, of an organization or, with none, of all of them. */
export function previewRetention(organizationId: string | undefined, query: TriedPeriods): Promise<RetentionPreview> {
  const path =
    organizationId === undefined
      ? "/api/v1/retention"
      : `/api/v1/organizations/${encodeURIComponent(organizationId)}/retention`;
  return api("GET", path, { query, timeout });
}
