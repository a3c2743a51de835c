import { api } from "../../../lib/api.ts";

/** Something that a model looks things up in. */
export interface KnowledgeItem {
  type: "collection" | "file";
  id: string;
  name: string;
}

/** What a model looks things up in for everyone, and for the people of single organizations. */
export interface ModelKnowledge {
  everyone: KnowledgeItem[];
  organizations: { organization_id: string; name: string; items: KnowledgeItem[] }[];
}

const path = "/api/v1/models/model/knowledge";

export const getModelKnowledge = (id: string, signal?: AbortSignal): Promise<ModelKnowledge> =>
  api("GET", path, { query: { id }, signal });

/** Takes the place of what was there. @param organization null for everyone */
export const setModelKnowledge = (
  id: string,
  organization: string | null,
  items: readonly KnowledgeItem[],
): Promise<ModelKnowledge> =>
  api("POST", path, {
    query: { id },
    body: { organization_id: organization, items: items.map(({ type, id: target }) => ({ type, id: target })) },
  });

/** What a model has for one audience. */
export function itemsFor(knowledge: ModelKnowledge, organization: string | null): KnowledgeItem[] {
  if (organization === null) return knowledge.everyone;
  return knowledge.organizations.find(({ organization_id }) => organization_id === organization)?.items ?? [];
}

/** Bases whose names or descriptions hold the query. */
export async function findBases(query: string, signal: AbortSignal): Promise<KnowledgeItem[]> {
  const { items } = await api<{ items: { id: string; name: string }[] }>("GET", "/api/v1/knowledge/search", {
    query: { query },
    signal,
  });
  return items.map(({ id, name }) => ({ type: "collection", id, name }));
}
