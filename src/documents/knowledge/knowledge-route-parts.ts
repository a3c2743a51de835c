import * as z from "zod";

export const base = "/api/v1/knowledge";
export const params = z.object({ id: z.string().min(1).max(100) });
export const directoryParams = params.extend({ dir_id: z.string().min(1).max(100) });
export const json = <S extends z.ZodType>(schema: S) => ({ content: { "application/json": { schema } } });
export const body = <S extends z.ZodType>(schema: S) => ({ body: { ...json(schema), required: true } });
export const answer = <S extends z.ZodType>(description: string, schema: S) => ({
  200: { description, ...json(schema) },
});
export const none = {
  403: { description: "The caller can read the knowledge base but not change it" },
  404: { description: "No such knowledge base, or no access to it" },
};
export const done = answer("Done", z.object({ status: z.literal(true) }));
