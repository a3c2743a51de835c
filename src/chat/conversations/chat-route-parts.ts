import type * as z from "zod";

/** Where the chats API lives. */
export const chatsPath = "/api/v1/chats";

/** The responses of a route that returns 200 with this schema. */
export function answers<S extends z.ZodType>(description: string, schema: S) {
  return { 200: { description, content: { "application/json": { schema } } } };
}

/** A JSON body that must be there. */
export function takes<S extends z.ZodType>(schema: S) {
  return { required: true, content: { "application/json": { schema } } };
}
