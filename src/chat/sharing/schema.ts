import * as z from "zod";
import { grant, storedGrant } from "../../people/grants/schema.ts";
import { chatResponse } from "../conversations/schema.ts";

/** Through a link a chat can only be read. */
const readers = z
  .array(grant)
  .max(1000)
  .refine(
    (grants) => grants.every(({ permission }) => permission === "read"),
    "Shared chats can only be shared for reading",
  );

/** Who may read it; if omitted, unchanged, and for a new link only its owner. */
export const shareBody = z.object({ access_grants: readers.optional() });
export const shareAccess = z.object({ access_grants: readers });

/** What the owner of a link sees of it; times are epoch seconds. */
export const shareView = z.object({
  /** The link is `/s/{id}`. */
  id: z.string(),
  chat_id: z.string(),
  title: z.string(),
  access_grants: z.array(storedGrant),
  created_at: z.number().int(),
  /** The moment that the link shows. */
  updated_at: z.number().int(),
  /** Whether the chat has changed since. */
  outdated: z.boolean(),
});
export type ShareView = z.infer<typeof shareView>;

/** A link in the owner's list, with Open WebUI's names: `id` is the chat's. */
export const sharedSummary = z.object({
  id: z.string(),
  share_id: z.string(),
  title: z.string(),
  access_grants: z.array(storedGrant),
  created_at: z.number().int(),
  updated_at: z.number().int(),
});
export type SharedSummary = z.infer<typeof sharedSummary>;

/** A shared chat in Open WebUI's chat format: one branch, with only the names of files and sources. */
export const sharedChat = chatResponse.extend({
  user: z.object({ id: z.string(), name: z.string() }),
  /** Whether it is the reader's own. */
  own: z.boolean(),
});
export type SharedChat = z.infer<typeof sharedChat>;
