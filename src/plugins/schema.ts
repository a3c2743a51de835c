import * as z from "zod";
import { accessControl, grantList, storedGrant } from "../people/grants/schema.ts";

/** Maximum length of a source, in characters. */
export const maxSourceLength = 2_000_000;

const unprintable = /[\p{Cc}\p{Cs}]/u;
const pluginName = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine((text) => !unprintable.test(text), "A name cannot have line breaks");
const source = z.string().min(1).max(maxSourceLength);
/** What clients keep with it stays as it is; `manifest` is what stands in the source. */
const meta = z.looseObject({ description: z.string().max(10_000).nullish() });
/** Hosts that it may fetch from: `host`, `host:port` or `*.host`. */
const hosts = z.array(z.string().max(300)).max(100);
/** Address of the native runner that it runs on, one of RUNNERS; null: in the sandbox. Only system administrators set it. */
const runner = z.string().min(1).max(300);
const values = z.record(z.string().max(200), z.unknown());
/** Where a source was imported from: an http or https address, or a file's name. */
export const origin = z
  .object({
    kind: z.enum(["address", "file"]),
    from: z.string().min(1).max(4000),
    /** Its id there, where the file is an export of several. */
    item: z.string().max(300).optional(),
  })
  .refine(({ kind, from }) => kind === "file" || (URL.canParse(from) && /^https?:/i.test(from)), {
    message: "Not an http or https address",
    path: ["from"],
  });
export type PluginOrigin = z.infer<typeof origin>;
const limit = (max: number) => z.number().int().min(1).max(max).nullable().default(null);
/** Null: no limit of its own. */
export const budget = z.object({
  calls_per_minute: limit(100_000),
  seconds_per_call: limit(3600),
  bytes_out_per_minute: limit(10_000_000_000),
});
export type BudgetValues = z.infer<typeof budget>;
const sharing = {
  access_grants: grantList.nullish(),
  /** Open WebUI's older shape of grants. */
  access_control: accessControl.optional(),
};

export const pluginIdParam = z.object({ id: z.string().min(1).max(300) });
export const versionParam = z.object({
  id: z.string().min(1).max(300),
  version: z.coerce.number().int().min(1).max(1e9),
});

export const newFunction = z.object({
  id: z.string().max(300),
  name: pluginName,
  content: source,
  meta: meta.default({}),
  hosts: hosts.default([]),
  origin: origin.optional(),
  runner: runner.nullish(),
});
export const newTool = z.object({ ...newFunction.shape, ...sharing });
export type NewPlugin = z.infer<typeof newTool>;

/**
 * Only the given fields change. `version`: the version that was edited; if another one is current, it is a conflict.
 */
export const functionChange = z.object({
  name: pluginName.optional(),
  content: source.optional(),
  meta: meta.optional(),
  hosts: hosts.optional(),
  version: z.number().int().optional(),
  origin: origin.nullish(),
  /** Only administrators change it; null removes it. */
  budget: budget.nullish(),
  runner: runner.nullish(),
});
/** `is_off`: switched off for everyone. */
export const toolChange = z.object({ ...functionChange.shape, ...sharing, is_off: z.boolean().optional() });
export type PluginChange = z.infer<typeof toolChange>;

export const accessChange = z.object(sharing);
export type AccessChange = z.infer<typeof accessChange>;

export const pluginView = z.object({
  id: z.string(),
  user_id: z.string().nullable(),
  type: z.enum(["pipe", "filter", "action", "tools"]),
  name: z.string(),
  /** Where the caller may change it, and not in lists. */
  content: z.string().optional(),
  /** `description`, `manifest`, and what clients keep with it. */
  meta: z.record(z.string(), z.unknown()),
  language: z.enum(["javascript", "python"]),
  version: z.number().int(),
  hosts: z.array(z.string()),
  /** It runs outside of the sandbox, as trusted code. */
  native: z.boolean(),
  /** Address of the native runner that it runs on; null: in the sandbox. There where `content` is. */
  runner: z.string().nullable().optional(),
  has_valves: z.boolean(),
  has_user_valves: z.boolean(),
  /** Of filters: people switch it on for a chat themselves. */
  toggle: z.boolean(),
  priority: z.number().int(),
  created_at: z.number().int(),
  updated_at: z.number().int(),
});

export const functionView = z.object({ ...pluginView.shape, is_active: z.boolean(), is_global: z.boolean() });
export type FunctionView = z.infer<typeof functionView>;

const toolSpec = z.object({
  name: z.string(),
  description: z.string(),
  parameters: z.record(z.string(), z.unknown()),
});
export const toolView = z.object({
  ...pluginView.shape,
  /** What models are told of its functions. */
  specs: z.array(toolSpec),
  /** Empty for those who may only use it. */
  access_grants: z.array(storedGrant),
  write_access: z.boolean(),
  /** Switched off for everyone. */
  is_off: z.boolean(),
  /** Administrators own it and wrote its current version. Other tools run with fewer rights. */
  trusted: z.boolean(),
  /** Who wrote the current version; null if the account is gone. */
  maker: z.object({ id: z.string(), name: z.string() }).nullable(),
  kind: z.literal("plugin"),
  connection: z.null(),
});
export type ToolView = z.infer<typeof toolView>;

export const sourceText = z.object({ content: source });
export const checkedSource = z.object({ content: source, runner: runner.nullish() });

export const problem = z.object({
  severity: z.enum(["error", "warning"]),
  message: z.string(),
  line: z.number().int().optional(),
  column: z.number().int().optional(),
  /** A package that would help, as registries name it. */
  package: z
    .string()
    .max(100)
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)
    .optional(),
});
const schemaOrNull = z.record(z.string(), z.unknown()).nullable();

/** The description of a source; null and empty if it does not load. */
export const checked = z.object({
  ok: z.boolean(),
  type: z.enum(["pipe", "filter", "action", "tools"]).nullable(),
  language: z.enum(["javascript", "python"]).nullable(),
  manifest: z.record(z.string(), z.string()),
  specs: z.array(toolSpec),
  valves_schema: schemaOrNull,
  user_valves_schema: schemaOrNull,
  problems: z.array(problem),
  /** Hosts that the source names; none of them is allowed by that. */
  named_hosts: z.array(z.string()),
});
export type Checked = z.infer<typeof checked>;

export const versionList = z.object({
  versions: z.array(
    z.object({
      version: z.number().int(),
      created_at: z.number().int(),
      user: z.object({ id: z.string(), name: z.string() }).nullable(),
      current: z.boolean(),
    }),
  ),
});
export type VersionList = z.infer<typeof versionList>;

/** The stored values; missing ones have their default. */
export const valves = values;
export const valvesSpec = schemaOrNull;

export const trial = z.object({
  /** Instead of what is stored. */
  content: source.optional(),
  /** `pipe`, `pipes`, `inlet`, `stream`, `outlet`, `action`, or a tool's name. */
  method: z.string().min(1).max(200),
  /** By the names of the parameters. */
  args: values.default({}),
  /** Instead of what is stored. */
  valves: values.optional(),
  /** What people say to its questions, in order; a question too many is told that nobody is there. */
  answers: z.array(z.unknown()).max(100).default([]),
});
export type Trial = z.infer<typeof trial>;

export const trialResult = z.object({
  ok: z.boolean(),
  value: z.unknown(),
  error: z
    .object({
      code: z.string(),
      message: z.string(),
      name: z.string().optional(),
      line: z.number().int().optional(),
      status: z.number().int().optional(),
      /** The package that would help where one is missing, as registries name it. */
      package: z.string().optional(),
    })
    .nullable(),
  logs: z.array(z.object({ level: z.enum(["debug", "info", "warning", "error"]), text: z.string() })),
  /** What it emitted and asked, in order. */
  events: z.array(z.unknown()),
  duration_ms: z.number(),
});
export type TrialResult = z.infer<typeof trialResult>;

export const address = z.object({ url: z.string().min(1).max(4000) });
export const loadedSource = z.object({ name: z.string(), content: z.string() });
export type LoadedSource = z.infer<typeof loadedSource>;

/** What an import looks at: addresses, or files that the person has. */
export const lookedAt = z.union([
  z.object({ url: z.string().min(1).max(4000) }),
  z.object({ urls: z.array(z.string().min(1).max(4000)).min(1).max(20) }),
  z.object({
    files: z
      .array(z.object({ name: z.string().min(1).max(300), content: z.string().max(8_000_000) }))
      .min(1)
      .max(50),
  }),
]);
export type LookedAt = z.infer<typeof lookedAt>;

const foundPlugin = z.object({
  /** Address or file name. */
  from: z.string(),
  origin: z.object({ kind: z.enum(["address", "file"]), from: z.string(), item: z.string().optional() }),
  /** Whether it can be stored. */
  ok: z.boolean(),
  family: z.enum(["function", "tool"]).nullable(),
  type: z.enum(["pipe", "filter", "action", "tools"]).nullable(),
  language: z.enum(["javascript", "python"]).nullable(),
  /** A proposal. */
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  /** As its leading comment says. */
  version: z.string().nullable(),
  author: z.string().nullable(),
  license: z.string().nullable(),
  requirements: z.array(z.string()),
  /** Hosts that it names, or that its export lists: none is allowed by that. */
  hosts: z.array(z.string()),
  /** That came with it. */
  valves: values.nullable(),
  content: z.string(),
  problems: z.array(problem),
  /** The plugin with this id, if there is one; `mine`: the caller may change it. */
  existing: z.object({ name: z.string(), version: z.number().int(), mine: z.boolean() }).nullable(),
});
export type FoundPlugin = z.infer<typeof foundPlugin>;

/** Nothing is stored. Of a folder only the files are listed, to choose from. */
export const foundPlugins = z.object({
  found: z.array(foundPlugin),
  files: z.array(z.object({ path: z.string(), url: z.string(), size: z.number().int() })),
  /** The folder has more files than are listed. */
  incomplete: z.boolean(),
  /** What could not be read, and why. */
  failed: z.array(z.object({ from: z.string(), message: z.string() })),
});
export type FoundPlugins = z.infer<typeof foundPlugins>;

export const pluginUpdate = z.object({
  from: z.string(),
  /** The source there differs from what is stored. */
  changed: z.boolean(),
  ok: z.boolean(),
  content: z.string(),
  /** As the leading comments say. */
  old_version: z.string().nullable(),
  new_version: z.string().nullable(),
  /** Packages that only the new one requires. */
  new_requirements: z.array(z.string()),
  /** Hosts that only the new one names. */
  new_hosts: z.array(z.string()),
  problems: z.array(problem),
});
export type PluginUpdateFound = z.infer<typeof pluginUpdate>;

/** What a plugin may reach, and what it did. */
export const pluginOverview = z.object({
  hosts: z.array(z.string()),
  /** Hosts that its source names and that are not allowed. */
  proposed_hosts: z.array(z.string()),
  requirements: z.array(z.string()),
  /** Whether it may act with all rights of the person it runs for. */
  trusted: z.boolean(),
  /** The caller may allow hosts and change the budget. */
  may_approve: z.boolean(),
  origin: z.object({ kind: z.enum(["address", "file"]), from: z.string(), item: z.string().optional() }).nullable(),
  budget,
  /** Address of the native runner that it runs on; null: in the sandbox. */
  runner: z.string().nullable(),
  /** The newest first; days without a call are left out. */
  days: z.array(
    z.object({
      /** Such as 2026-07-01 (UTC). */
      day: z.string(),
      calls: z.number().int(),
      errors: z.number().int(),
      bytes_out: z.number().int(),
      bytes_in: z.number().int(),
      /** Of all calls together. */
      duration_ms: z.number().int(),
      /** Largest memory of an isolate, in bytes; null where it was not measured. */
      memory: z.number().int().nullable(),
    }),
  ),
  /** The last one first. */
  contacts: z.array(
    z.object({
      host: z.string(),
      refused: z.boolean(),
      requests: z.number().int(),
      bytes_out: z.number().int(),
      bytes_in: z.number().int(),
      last_at: z.number().int(),
    }),
  ),
});
export type PluginOverview = z.infer<typeof pluginOverview>;

export const exportQuery = z.object({ include_valves: z.enum(["true", "false", "1", "0"]).optional() });

/** As exports have it, those of Open WebUI too: what is not known here is left out. */
const transferred = z.object({
  id: z.string().max(300),
  name: pluginName,
  content: source,
  meta: meta.nullish(),
  hosts: hosts.optional(),
  runner: runner.nullish(),
  valves: values.nullish(),
});
const transferredFunction = z.object({
  ...transferred.shape,
  is_active: z.boolean().nullish(),
  is_global: z.boolean().nullish(),
});
const transferredTool = z.object({ ...transferred.shape, access_grants: z.array(z.unknown()).nullish() });
export type TransferredPlugin = z.infer<typeof transferredFunction> & Partial<z.infer<typeof transferredTool>>;

const maxTransferred = 200;
/** Open WebUI's community wraps what it offers: `{id, function: {...}, ...}`. */
const functionList = z
  .array(
    z.union([
      transferredFunction,
      z.object({ function: transferredFunction }).transform((wrapped) => wrapped.function),
    ]),
  )
  .max(maxTransferred);
const toolList = z
  .array(z.union([transferredTool, z.object({ tool: transferredTool }).transform((wrapped) => wrapped.tool)]))
  .max(maxTransferred);

/** A file of exported plugins: a list of them, or one with a name. */
export const transferredFunctions = z.union([z.object({ functions: functionList }), functionList]);
export const transferredTools = z.union([z.object({ tools: toolList }), toolList]);

export const exported = { valves: values.nullable().optional() };
export const exportedFunction = z.object({ ...functionView.shape, ...exported });
export const exportedTool = z.object({ ...toolView.shape, ...exported });

/** What was stored, and what failed and why. */
export const importResult = z.object({
  imported: z.array(z.string()),
  problems: z.array(z.object({ id: z.string(), message: z.string() })),
});
export type ImportResult = z.infer<typeof importResult>;
