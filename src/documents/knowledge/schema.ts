import * as z from "zod";
import { accessControl, grantList, storedGrant } from "../../people/grants/schema.ts";
import { fileView } from "../files/schema.ts";

/** Maximum nesting of directories in a knowledge base. */
export const maxDepth = 20;

/**
 * A file's path at its source, relative and with `/`: `handbook/harbour/tides.pdf`. Backslashes become slashes, and
 * `.//` and double slashes are removed.
 */
export const sourcePath = z
  .string()
  .max(2000)
  .transform((text) =>
    text
      .replaceAll("\\", "/")
      .split("/")
      .filter((name) => name !== "" && name !== ".")
      .join("/"),
  )
  .refine((text) => text !== "", "A path must end with a file name")
  .refine(
    (text) => text.split("/").every((name) => name !== ".." && name.length <= 255),
    "A path must be relative, without ..",
  )
  .refine((text) => text.split("/").length <= maxDepth + 1, `Directories can be nested at most ${maxDepth} levels deep`)
  .refine((text) => !/\p{Cc}|\p{Cs}/u.test(text), "A path cannot have control characters");

const unprintable = /[\p{Cc}\p{Cs}]/u;
const id = z.string().min(1).max(100);
/** The top is null or nothing. */
const directoryId = z
  .string()
  .max(100)
  .nullish()
  .transform((value) => (value === "" ? null : (value ?? null)));

const name = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine((text) => !unprintable.test(text), "A name cannot have line breaks");
const description = z
  .string()
  .max(10_000)
  .nullish()
  .transform((text) => text ?? "");
/** What clients keep with it. */
const meta = z
  .record(z.string(), z.unknown())
  .refine((value) => JSON.stringify(value).length <= 20_000, "At most 20,000 characters of JSON")
  .nullish()
  .transform((value) => value ?? undefined);
const sharing = {
  access_grants: grantList.nullish(),
  /** Open WebUI's older shape of grants. */
  access_control: accessControl.optional(),
};

export const newKnowledge = z.object({ name, description, meta: meta.optional(), ...sharing });
export type NewKnowledge = z.infer<typeof newKnowledge>;

/** Only the given fields change; the grants are replaced completely. */
export const knowledgeChange = z.object({
  name: name.optional(),
  description: z.string().max(10_000).nullish(),
  meta: meta.optional(),
  ...sharing,
});
export type KnowledgeChange = z.infer<typeof knowledgeChange>;

export const importQuery = z.object({ name: name.default("Imported") });

export const knowledgeAccess = z.object({ access_grants: grantList });

export const knowledgeView = z.object({
  id: z.string(),
  /** Null where its maker is gone. */
  user_id: z.string().nullable(),
  /** Whose it is: grants to persons and groups hold for its people. */
  organization_id: z.string(),
  name: z.string(),
  description: z.string(),
  meta: z.record(z.string(), z.unknown()),
  /** Empty for those who may only read it. */
  access_grants: z.array(storedGrant),
  write_access: z.boolean(),
  file_count: z.number().int(),
  user: z.object({ id: z.string(), name: z.string() }).nullable(),
  created_at: z.number().int(),
  updated_at: z.number().int(),
});
export type KnowledgeView = z.infer<typeof knowledgeView>;

export const importedKnowledge = knowledgeView.extend({
  /** Files that are in it when they have been read, and those that were in the zip file more than once. */
  imported: z.number().int(),
  duplicates: z.number().int(),
});
export type ImportedKnowledge = z.infer<typeof importedKnowledge>;

export const knowledgePage = z.object({ items: z.array(knowledgeView), total: z.number().int() });
export type KnowledgePage = z.infer<typeof knowledgePage>;

/** One knowledge base; its files have their own list: `GET /{id}/files`. */
export const oneKnowledge = knowledgeView.extend({ files: z.null() });

/** What is said of a file of a base after a change. */
const linkedFile = z.object({
  id: z.string(),
  hash: z.string().nullable(),
  meta: fileView.shape.meta,
  directory_id: z.string().nullable(),
  created_at: z.number().int(),
  updated_at: z.number().int(),
});

/** What failed, and why; `errors` for people, `entries` for programs. */
export const fileWarnings = z.object({
  message: z.string(),
  errors: z.array(z.string()),
  entries: z.array(
    z.object({
      file_id: z.string(),
      code: z.string(),
      /** The file of the base that has the same content. */
      existing: z.object({ file_id: z.string(), filename: z.string() }).optional(),
    }),
  ),
});
export type FileWarnings = z.infer<typeof fileWarnings>;

/** The knowledge base after a change of its files, with the affected files and the latest others: at most 100. */
export const knowledgeWithFiles = knowledgeView.extend({
  files: z.array(linkedFile),
  warnings: fileWarnings.optional(),
});
export type KnowledgeWithFiles = z.infer<typeof knowledgeWithFiles>;

const page = z.coerce.number().int().min(1).max(100_000).default(1);
const query = z.string().max(200).optional();
const direction = z.enum(["asc", "desc"]).optional();
/** `created`: the caller's own; `shared`: other people's. */
const viewOption = z
  .enum(["created", "shared", "all", ""])
  .optional()
  .transform((value) => (value === "created" || value === "shared" ? value : undefined));
const yesOrNo = z.enum(["true", "false", "1", "0"]).transform((text) => text === "true" || text === "1");

export const pageQuery = z.object({ page });
export const searchQuery = z.object({
  query,
  view_option: viewOption,
  order_by: z.enum(["name", "created_at", "updated_at"]).optional(),
  direction,
  page,
});
export type SearchQuery = Partial<z.infer<typeof searchQuery>> & { page: number };

export const fileSearchQuery = z.object({ query, page });

/** A file and one of its knowledge bases. */
export const fileHit = fileView.extend({ collection: z.object({ id: z.string(), name: z.string() }) });
export const fileHits = z.object({ items: z.array(fileHit), total: z.number().int() });
export type FileHits = z.infer<typeof fileHits>;

export const baseFilesQuery = z.object({
  query,
  view_option: viewOption,
  order_by: z.enum(["name", "filename", "created_at", "updated_at", "size"]).optional(),
  direction,
  /** Absent: everywhere. Empty: at the top. */
  directory_id: z.string().max(100).optional(),
  page,
  limit: z.coerce.number().int().min(1).max(250).default(30),
});
export type BaseFilesQuery = z.infer<typeof baseFilesQuery>;

export const directoryView = z.object({
  id: z.string(),
  knowledge_id: z.string(),
  parent_id: z.string().nullable(),
  name: z.string(),
  created_at: z.number().int(),
  updated_at: z.number().int(),
});
export type DirectoryView = z.infer<typeof directoryView>;

export const baseFile = fileView.extend({
  /** Null at the top. */
  directory_id: z.string().nullable(),
  /** Where a sync tool has it from. */
  path: z.string().nullable(),
  user: z.object({ id: z.string(), name: z.string() }).nullable(),
  /** When it was put into the base, epoch seconds. */
  added_at: z.number().int(),
});
export type BaseFile = z.infer<typeof baseFile>;

export const baseFiles = z.object({
  items: z.array(baseFile),
  /** On the first page: those inside the directory, or all where none was named. */
  directories: z.array(directoryView),
  /** From the top to the directory. */
  breadcrumbs: z.array(z.object({ id: z.string(), name: z.string() })),
  total: z.number().int(),
});
export type BaseFiles = z.infer<typeof baseFiles>;

export const pendingFile = baseFile.extend({
  /** Whether it is in the base already, and is read again. */
  linked: z.boolean(),
  /** The file of the base that has the same content: this one stays outside. */
  duplicate_of: z.object({ file_id: z.string(), filename: z.string() }).nullable(),
});
export type PendingFile = z.infer<typeof pendingFile>;
export const streamQuery = z.object({ stream: yesOrNo.optional() });

const path = sourcePath.nullish().transform((value) => value ?? null);
export const addedFile = z.object({ file_id: id, directory_id: directoryId, path });
export type AddedFile = z.infer<typeof addedFile>;
export const addedFiles = z.array(addedFile).min(1).max(1000);
export const oneFile = z.object({ file_id: id });
export const movedFile = z.object({ file_id: id, directory_id: directoryId });
/** Whether the caller's own files that are in no other base are also deleted. */
export const removalQuery = z.object({ delete_file: yesOrNo.optional() });
export const resetQuery = removalQuery.extend({ include_directories: yesOrNo.optional() });

export const newDirectory = z.object({ name: directoryName(), parent_id: directoryId });
/** Only the given fields change. */
export const directoryChange = z.object({
  name: directoryName().optional(),
  parent_id: z.string().max(100).nullable().optional(),
});
export type DirectoryChange = z.infer<typeof directoryChange>;
/** Whether its files move to the parent, or are removed too. */
export const directoryRemoval = removalQuery.extend({ move_files: yesOrNo.optional() });

function directoryName() {
  return z
    .string()
    .trim()
    .min(1)
    .max(255)
    .refine((text) => !unprintable.test(text) && !/[\\/]/.test(text), "A directory name cannot have slashes")
    .refine((text) => text !== "." && text !== "..", "Not a valid name");
}
