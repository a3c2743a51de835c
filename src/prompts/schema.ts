import * as z from "zod";
import { accessControl, grantList, storedGrant } from "../people/grants/schema.ts";

/** Maximum length of a prompt, in UTF-16 units. */
export const maxPromptLength = 50_000;

const unprintable = /[\p{Cc}\p{Cs}]/u;

/** The text after the slash. Open WebUI's clients include the slash. */
export const promptCommand = z
  .string()
  .max(100)
  .transform((text) => text.trim().replace(/^\/+/, ""))
  .refine(
    (text) => /^[\p{L}\p{N}][\p{L}\p{N}\p{M}_-]{0,59}$/u.test(text),
    "A command can have letters, digits, - and _, at most 60 characters",
  );

const name = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine((text) => !unprintable.test(text), "A name cannot have line breaks");
const content = z.string().min(1).max(maxPromptLength);
const tags = z
  .array(
    z
      .string()
      .trim()
      .min(1)
      .max(50)
      .refine((text) => !unprintable.test(text), "A tag cannot have line breaks"),
  )
  .max(20)
  .transform((list) => [...new Set(list)]);
/** What its writer says about a change. */
const message = z.string().max(500).nullish();
const sharing = {
  access_grants: grantList.nullish(),
  /** Open WebUI's older shape of grants. */
  access_control: accessControl.optional(),
};

export const newPrompt = z
  .object({
    command: promptCommand,
    name: name.optional(),
    /** What older clients of Open WebUI call the name. */
    title: name.optional(),
    content,
    tags: tags.nullish(),
    is_active: z.boolean().nullish(),
    commit_message: message,
    ...sharing,
  })
  .refine((prompt) => prompt.name !== undefined || prompt.title !== undefined, {
    message: "A prompt needs a name",
    path: ["name"],
  });
export type NewPrompt = z.infer<typeof newPrompt>;

/** Most prompts of one import. */
const maxImported = 300;

/** An exported list, or the same under `prompts`. */
export const importedPrompts = z.union([
  z.array(newPrompt).min(1).max(maxImported),
  z.object({ prompts: z.array(newPrompt).min(1).max(maxImported) }).transform(({ prompts }) => prompts),
]);
export const importedCount = z.object({ created: z.number().int(), changed: z.number().int() });
export type ImportedCount = z.infer<typeof importedCount>;
export const exportQuery = z.object({
  /** Only the prompt with this id. */
  id: z.string().max(100).optional(),
});

/** Only the given fields change; the grants are replaced completely. */
export const promptChange = z.object({
  command: promptCommand.optional(),
  name: name.optional(),
  title: name.optional(),
  content: content.optional(),
  tags: tags.nullish(),
  is_active: z.boolean().nullish(),
  commit_message: message,
  ...sharing,
});
export type PromptChange = z.infer<typeof promptChange>;

export const promptAccess = z.object({ access_grants: grantList });
export const versionChoice = z.object({ version_id: z.string().min(1).max(100) });

const person = z.object({ id: z.string(), name: z.string() }).nullable();

export const promptView = z.object({
  id: z.string(),
  /** Null where its maker is gone. */
  user_id: z.string().nullable(),
  /** Whose it is: grants to persons and groups hold for its people. */
  organization_id: z.string(),
  /** Without the slash. */
  command: z.string(),
  name: z.string(),
  content: z.string(),
  tags: z.array(z.string()),
  /** Whether it is offered in chats. */
  is_active: z.boolean(),
  /** The version that the text is of. */
  version_id: z.string(),
  /** Empty for those who may only read it. */
  access_grants: z.array(storedGrant),
  write_access: z.boolean(),
  user: person,
  created_at: z.number().int(),
  updated_at: z.number().int(),
});
export type PromptView = z.infer<typeof promptView>;

export const promptPage = z.object({ items: z.array(promptView), total: z.number().int() });
export type PromptPage = z.infer<typeof promptPage>;

const yesOrNo = z.enum(["true", "false", "1", "0"]).transform((text) => text === "true" || text === "1");
const page = z.coerce.number().int().min(1).max(100_000).default(1);

export const promptQuery = z.object({
  query: z.string().max(200).optional(),
  /** `created`: the caller's own; `shared`: other people's. */
  view_option: z
    .enum(["created", "shared", "all", ""])
    .optional()
    .transform((value) => (value === "created" || value === "shared" ? value : undefined)),
  tag: z.string().max(50).optional(),
  order_by: z.enum(["name", "command", "created_at", "updated_at"]).optional(),
  direction: z.enum(["asc", "desc"]).optional(),
  /** Only what is offered to the caller in chats: switched on, and theirs or shared with them. */
  offered: yesOrNo.optional(),
  page,
});
export type PromptQuery = Partial<z.infer<typeof promptQuery>> & { page: number };

/** Open WebUI counts pages of versions from 0. */
export const versionQuery = z.object({ page: z.coerce.number().int().min(0).max(1000).default(0) });

export const promptVersion = z.object({
  id: z.string(),
  prompt_id: z.string(),
  parent_id: z.string().nullable(),
  snapshot: z.object({ command: z.string(), name: z.string(), content: z.string(), tags: z.array(z.string()) }),
  commit_message: z.string().nullable(),
  user_id: z.string().nullable(),
  user: person,
  created_at: z.number().int(),
});
export type PromptVersion = z.infer<typeof promptVersion>;
