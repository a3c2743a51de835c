import * as z from "zod";

/** Things that one model looks things up in, for one audience. */
export const maxItems = 100;

export const knowledgeReference = z.object({
  type: z.enum(["collection", "file"]),
  id: z.string().min(1).max(100),
});
export type KnowledgeReference = z.infer<typeof knowledgeReference>;

const item = knowledgeReference.extend({
  /** Empty for what the caller may not read. */
  name: z.string(),
  readable: z.boolean(),
});
export type KnowledgeItem = z.infer<typeof item>;

export const modelKnowledgeView = z.object({
  /** What it looks things up in whoever asks; everybody finds only what they may read themselves. */
  everyone: z.array(item),
  /** For the people of an organization alone; those of which the caller may choose it. */
  organizations: z.array(z.object({ organization_id: z.string(), name: z.string(), items: z.array(item) })),
});
export type ModelKnowledgeView = z.infer<typeof modelKnowledgeView>;

export const modelKnowledgeChange = z.object({
  /** Null for everyone. */
  organization_id: z.string().min(1).max(100).nullable().default(null),
  /** They take the place of what was there. */
  items: z.array(knowledgeReference).max(maxItems),
});
export type ModelKnowledgeChange = z.infer<typeof modelKnowledgeChange>;
