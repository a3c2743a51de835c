/**
 * The permission tree: only permissions with an effect (names as in Open WebUI's tree). A person has a permission if
 * the defaults or any of their groups grant it; groups never revoke a default; administrators have all. An organization
 * may switch off `features` for its people.
 */
export const factoryPermissions = {
  workspace: { models: false, knowledge: false, prompts: false, tools: false },
  sharing: {
    models: false,
    public_models: false,
    knowledge: false,
    public_knowledge: false,
    prompts: false,
    public_prompts: false,
    folders: false,
    public_folders: false,
    public_chats: false,
    tools: false,
    public_tools: false,
    /** Making channels that everybody of the organization finds. */
    public_channels: true,
  },
  access_grants: { allow_users: true, allow_groups: true },
  chat: {
    file_upload: true,
    /** Attaching pages of the web, which the service fetches. */
    web_upload: true,
    delete: true,
    edit: true,
    system_prompt: true,
    params: true,
    multiple_models: true,
    temporary: true,
    /** Nothing of what such a person says is kept. */
    temporary_enforced: false,
    /** Dictation, and having answers read aloud. */
    stt: true,
    tts: true,
    share: true,
    /** Saying what answers are worth; ENABLE_MESSAGE_RATING is the switch for everybody. */
    rate_response: true,
    /** A chat of their own, or its beginning, as a new one. */
    fork: true,
    export: true,
    import: true,
  },
  features: {
    api_keys: false,
    /** Providers of their own; ENABLE_DIRECT_CONNECTIONS is the switch for everybody. */
    direct_connections: true,
    direct_tool_servers: false,
    execute_events: true,
    channels: true,
    webhooks: true,
    memories: true,
    /** Pages, tables and diagrams of answers beside the chat. Only the page asks: they are made in the browser. */
    previews: true,
    /** Summaries in place of the beginning of long chats; ENABLE_CONTEXT_COMPACTION is the switch for everybody. */
    context_compaction: true,
    /** Running code of answers. */
    code_execution: true,
    /** Allowing models to run code for an answer. */
    code_interpreter: true,
    /** Folders for chats. */
    folders: true,
    /** Having the web searched for an answer. */
    web_search: true,
    /** Having pictures made by a model. */
    image_generation: true,
  },
};

export type Permissions = typeof factoryPermissions;
export type Permission = {
  [B in keyof Permissions]: `${B}.${Extract<keyof Permissions[B], string>}`;
}[keyof Permissions];

/** Any part of the tree, as groups and the stored defaults hold it. */
export type PartialPermissions = { [B in keyof Permissions]?: { [L in keyof Permissions[B]]?: boolean } };

/** The organization's switches for `features`; only `false` has an effect. */
export type FeatureSwitches = { [L in keyof Permissions["features"]]?: boolean };

type Leaves = Record<string, boolean | undefined>;

/** Branches and leaves as lists, for what is done at each request. */
const factoryBranches = Object.entries(factoryPermissions).map(
  ([branch, leaves]) => [branch, Object.entries(leaves)] as const,
);

/**
 * Built-in values, overridden by the stored defaults, extended by groups, restricted by the organization's switches.
 */
export function effectivePermissions(
  defaults: PartialPermissions,
  groups: PartialPermissions[],
  switches: FeatureSwitches = {},
): Permissions {
  const tree: Record<string, Leaves> = {};
  for (const [branch, leaves] of factoryBranches) {
    const partOf = (part: PartialPermissions) => (part as Record<string, Leaves | undefined>)[branch];
    const [base, added] = [partOf(defaults), groups.map(partOf)];
    const switched: Leaves = branch === "features" ? switches : {};
    const values: Leaves = (tree[branch] = {});
    for (const [leaf, factory] of leaves) {
      const isGiven = (base?.[leaf] ?? factory) || added.some((group) => group?.[leaf] === true);
      values[leaf] = isGiven && switched[leaf] !== false;
    }
  }
  return tree as unknown as Permissions;
}

/** Permissions that restrict instead of allow. */
export const restrictions: readonly Permission[] = ["chat.temporary_enforced"];

/** All permissions and no restrictions: those of administrators. */
export const allPermissions: Permissions = Object.fromEntries(
  Object.entries(factoryPermissions).map(([branch, leaves]) => [
    branch,
    Object.fromEntries(
      Object.keys(leaves).map((leaf) => [leaf, !restrictions.includes(`${branch}.${leaf}` as Permission)]),
    ),
  ]),
) as unknown as Permissions;
