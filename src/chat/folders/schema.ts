import * as z from "zod";
import { grantList, storedGrant } from "../../people/grants/schema.ts";
import { maxFolderInstructions, maxFolderName } from "../../shared/folder-limits.ts";

/** How deep folders may be inside each other; 1 is the top. */
export const maxFolderDepth = 20;
/** How many a person may have. */
export const maxFolders = 2000;
const maxReferences = 100;
const maxKept = 20_000;

const unprintable = /[\p{Cc}\p{Cs}]/u;

export const folderName = z
  .string()
  .trim()
  .min(1)
  .max(maxFolderName)
  .refine((text) => !unprintable.test(text), "A name cannot have line breaks");

/** A file or a knowledge base, as Open WebUI's clients write them; further keys are left out. */
const reference = z.looseObject({
  type: z.enum(["file", "collection"]),
  id: z.string().min(1).max(100),
});

const isSmall = (value: unknown) => JSON.stringify(value).length <= maxKept;

/** What a folder does for its chats; other keys are kept for clients. Only the given keys change. */
const data = z.looseObject({
  system_prompt: z.string().max(maxFolderInstructions).nullish(),
  files: z.array(reference).max(maxReferences).nullish(),
  model_ids: z.array(z.string().min(1).max(256)).max(50).nullish(),
});
const smallData = data.refine(
  ({ system_prompt: _prompt, files: _files, model_ids: _models, ...rest }) => isSmall(rest),
  "Too much data",
);
/** What clients keep with a folder, such as an icon. Only the given keys change. */
const meta = z.record(z.string(), z.unknown()).refine(isSmall, "Too much data");

export type FolderData = z.infer<typeof data>;

const parentId = z.string().min(1).max(100).nullish();

export const newFolder = z.object({
  name: folderName,
  parent_id: parentId,
  data: smallData.nullish(),
  meta: meta.nullish(),
});
export type NewFolder = z.infer<typeof newFolder>;

export const folderChange = z.object({ name: folderName.nullish(), data: smallData.nullish(), meta: meta.nullish() });
export type FolderChange = z.infer<typeof folderChange>;

export const folderParent = z.object({ parent_id: parentId });
export const folderExpanded = z.object({ is_expanded: z.boolean() });
export const folderAccess = z.object({ access_grants: grantList });
export const folderOfChat = z.object({ folder_id: z.string().min(1).max(100).nullish() });

const flag = z.enum(["true", "false", "1", "0"]).transform((value) => value === "true" || value === "1");
/** Whether the list has folders that others share, too. */
export const folderQuery = z.object({ include_shared: flag.optional() });
export const folderDeletion = z.object({ delete_contents: flag.default(true) });

const head = {
  id: z.string(),
  name: z.string(),
  meta: z.record(z.string(), z.unknown()),
  parent_id: z.string().nullable(),
  is_expanded: z.boolean(),
  created_at: z.number().int(),
  updated_at: z.number().int(),
};

/** A folder in the list. */
export const folderSummary = z.object(head);
export type FolderSummary = z.infer<typeof folderSummary>;

/** A folder that is shared with the caller, by itself or inside another one, or that the caller shares. */
export const sharedFolder = z.object({
  ...head,
  user_id: z.string(),
  owner_name: z.string(),
  permission: z.enum(["read", "write"]),
});
export type SharedFolder = z.infer<typeof sharedFolder>;

/** In the list of all folders: a shared one says whose it is. */
export const listedFolder = folderSummary.extend(
  sharedFolder.pick({ user_id: true, owner_name: true, permission: true }).partial().shape,
);

export const folderView = z.object({
  ...head,
  user_id: z.string(),
  data: z.looseObject({
    system_prompt: z.string(),
    /** Those that the caller may read. */
    files: z.array(z.object({ type: z.enum(["file", "collection"]), id: z.string(), name: z.string() })),
    model_ids: z.array(z.string()),
  }),
  /** Models of a new chat in it: its own, or those of the nearest folder around it that has some. */
  model_ids: z.array(z.string()),
  /** Empty for everyone but its owner. */
  access_grants: z.array(storedGrant),
  write_access: z.boolean(),
  /** The caller's chats in it and in the folders in it. */
  chat_count: z.number().int(),
  /** The folders in it, at any depth. */
  folder_count: z.number().int(),
});
export type FolderView = z.infer<typeof folderView>;
