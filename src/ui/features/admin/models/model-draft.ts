import type { GrantView } from "../../../../people/grants/schema.ts";
import { suggestionsIn } from "../../../lib/model-suggestions.ts";
import { readObject } from "../../../lib/read-object.ts";
import { idFor, type ModelForm, tagsOf } from "./model-form.ts";
import { texts } from "./texts.ts";

/** Keys of a model's `meta` that hold ids of plugins. */
export const pluginBindings = ["toolIds", "filterIds", "defaultFilterIds", "actionIds"] as const;
export type PluginBinding = (typeof pluginBindings)[number];

/** What of the service can go with a model. Names are those of permissions and requests. */
export const modelFeatures = ["web_search", "code_interpreter", "image_generation"] as const;
export type ModelFeature = (typeof modelFeatures)[number];
export type FeatureUse = "" | "default" | "never";

/** What is entered on the page of one model, as typed. */
export interface ModelDraft {
  base: string;
  name: string;
  /** Follows the name until it is typed in; fixed once the model exists. */
  id: string;
  description: string;
  picture: string;
  tags: string;
  shown: boolean;
  /** Whether it is given pictures; empty: as its provider says. */
  vision: "" | "yes" | "no";
  /** Whether chats offer it; empty: as its provider says. */
  chat: "" | "yes" | "no";
  /** What of the service its chats use: on in new chats, never, or as people switch it. */
  features: Record<ModelFeature, FeatureUse>;
  system: string;
  /** Questions that new chats offer, one on each line. */
  suggestions: string;
  temperature: string;
  topP: string;
  maxTokens: string;
  /** Tokens of its context; empty: as its provider says. */
  contextLength: string;
  /** Whether long conversations are shortened; empty: as the settings say. */
  compaction: "" | "yes" | "no";
  /** Percent of the context from which on they are; empty: as the settings say. */
  compactionShare: string;
  /** All other parameters, as JSON. */
  extra: string;
  /** Ids of the plugins that go with it. */
  plugins: Record<PluginBinding, string[]>;
  grants: GrantView[];
}

export function draftOf(form: ModelForm): ModelDraft {
  const { system, temperature, top_p, max_tokens, ...rest } = form.params;
  const text = (value: unknown): string =>
    typeof value === "number" || typeof value === "string" ? String(value) : "";
  return {
    base: form.base_model_id ?? "",
    name: form.name,
    id: form.id,
    description: form.meta.description ?? "",
    picture: form.meta.profile_image_url ?? "",
    tags: tagsOf(form.meta).join(", "),
    shown: form.meta.hidden !== true,
    vision: saidIn(form, "vision"),
    chat: saidIn(form, "chat"),
    features: featuresIn(form),
    system: text(system),
    suggestions: suggestionsIn(form.meta).join("\n"),
    temperature: text(temperature),
    topP: text(top_p),
    maxTokens: text(max_tokens),
    contextLength: text(form.meta["context_length"]),
    compaction: compactionIn(form.meta),
    compactionShare: text(compactionOf(form.meta)["share"]),
    extra: Object.keys(rest).length > 0 ? JSON.stringify(rest, null, 2) : "",
    plugins: boundIn(form),
    grants: form.access_grants,
  };
}

function saidIn({ meta }: ModelForm, ability: "vision" | "chat"): "" | "yes" | "no" {
  const said = capabilitiesIn(meta)[ability];
  return typeof said === "boolean" ? (said ? "yes" : "no") : "";
}

function compactionOf(meta: ModelForm["meta"]): Record<string, unknown> {
  const stored = meta["compaction"];
  return typeof stored === "object" && stored !== null ? (stored as Record<string, unknown>) : {};
}

function compactionIn(meta: ModelForm["meta"]): ModelDraft["compaction"] {
  const { enabled } = compactionOf(meta);
  return typeof enabled === "boolean" ? (enabled ? "yes" : "no") : "";
}

function featuresIn({ meta }: ModelForm): ModelDraft["features"] {
  const byDefault = Array.isArray(meta["defaultFeatureIds"]) ? (meta["defaultFeatureIds"] as unknown[]) : [];
  const capabilities = capabilitiesIn(meta);
  const useOf = (id: ModelFeature): FeatureUse =>
    capabilities[id] === false ? "never" : byDefault.includes(id) ? "default" : "";
  return Object.fromEntries(modelFeatures.map((id) => [id, useOf(id)])) as ModelDraft["features"];
}

/** The capabilities of a model, as clients of Open WebUI store them; nothing if they are not an object. */
function capabilitiesIn({ capabilities }: ModelForm["meta"]): Record<string, unknown> {
  return typeof capabilities === "object" && capabilities !== null ? (capabilities as Record<string, unknown>) : {};
}

function boundIn({ meta }: ModelForm): ModelDraft["plugins"] {
  const ids = (key: PluginBinding): string[] => {
    const found = meta[key];
    return Array.isArray(found) ? found.filter((id) => typeof id === "string") : [];
  };
  return {
    toolIds: ids("toolIds"),
    filterIds: ids("filterIds"),
    defaultFilterIds: ids("defaultFilterIds"),
    actionIds: ids("actionIds"),
  };
}

export type DraftField =
  | "base"
  | "name"
  | "id"
  | "description"
  | "picture"
  | "tags"
  | "shown"
  | "vision"
  | "chat"
  | "features"
  | "system"
  | "suggestions"
  | "params"
  | "context"
  | "plugins"
  | "grants";

/** Which parts differ between two drafts. */
export function changedParts(draft: ModelDraft, stored: ModelDraft): DraftField[] {
  const params = (from: ModelDraft): string =>
    JSON.stringify([from.temperature, from.topP, from.maxTokens, from.extra].map((text) => text.trim()));
  const context = (from: ModelDraft): string =>
    JSON.stringify([from.contextLength.trim(), from.compaction, from.compactionShare.trim()]);
  const plain = (
    [
      "base",
      "name",
      "id",
      "description",
      "picture",
      "tags",
      "shown",
      "vision",
      "chat",
      "system",
      "suggestions",
    ] as const
  ).filter((field) => draft[field] !== stored[field]);
  return [
    ...plain,
    ...(JSON.stringify(draft.features) === JSON.stringify(stored.features) ? [] : (["features"] as const)),
    ...(params(draft) === params(stored) ? [] : (["params"] as const)),
    ...(context(draft) === context(stored) ? [] : (["context"] as const)),
    ...(JSON.stringify(draft.plugins) === JSON.stringify(stored.plugins) ? [] : (["plugins"] as const)),
    ...(JSON.stringify(draft.grants) === JSON.stringify(stored.grants) ? [] : (["grants"] as const)),
  ];
}

export type DraftErrors = Partial<
  Record<
    "base" | "name" | "id" | "temperature" | "topP" | "maxTokens" | "contextLength" | "compactionShare" | "extra",
    string
  >
>;

/**
 * The draft as it will be stored. Fields that the page does not know (`form.meta`, `form.is_active`) stay unchanged.
 * @param isMade made here: stands on another model
 */
export function toForm(draft: ModelDraft, form: ModelForm, isMade: boolean): { form: ModelForm; errors: DraftErrors } {
  const words = texts.edit;
  const errors: DraftErrors = {};
  const id = form.id || draft.id.trim() || idFor(draft.name);
  if (draft.name.trim() === "") errors.name = words.nameMissing;
  if (isMade && draft.base === "") errors.base = words.baseMissing;
  if (draft.name.trim() !== "" && (id === "" || id.length > 256 || /\s/.test(id))) errors.id = words.idWrong;

  const number = (text: string, field: "temperature" | "topP" | "maxTokens"): number | undefined => {
    if (text.trim() === "") return undefined;
    const value = Number(text.replace(",", "."));
    if (!Number.isFinite(value)) errors[field] = words.notNumber;
    return value;
  };
  const whole = (
    text: string,
    field: "contextLength" | "compactionShare",
    [least, most]: [number, number],
    wrong: string,
  ): number | undefined => {
    if (text.trim() === "") return undefined;
    const value = Number(text);
    if (!Number.isInteger(value) || value < least || value > most) errors[field] = wrong;
    return value;
  };
  const contextLength = whole(draft.contextLength, "contextLength", [1, 999_999_999], words.notLength);
  const share = whole(draft.compactionShare, "compactionShare", [10, 95], words.notShare);
  const extra = readObject(draft.extra);
  if (!extra) errors.extra = words.notObject;
  const known = {
    system: draft.system.trim() || undefined,
    temperature: number(draft.temperature, "temperature"),
    top_p: number(draft.topP, "topP"),
    max_tokens: number(draft.maxTokens, "maxTokens"),
  };
  const params = { ...extra, ...Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined)) };
  const tags = [...new Set(draft.tags.split(",").map((tag) => tag.trim()))].filter(Boolean).map((name) => ({ name }));
  const meta = {
    ...form.meta,
    description: draft.description.trim() || null,
    profile_image_url: draft.picture || null,
    tags,
    hidden: !draft.shown,
    ...suggestedBy(draft, form),
    ...boundBy(draft, form),
    ...capabilitiesBy(draft, form),
    ...contextBy(form, contextLength, { enabled: draft.compaction, share }),
    ...defaultFeaturesBy(draft, form),
  };
  return {
    errors,
    form: {
      ...form,
      id,
      base_model_id: isMade ? draft.base : null,
      name: draft.name.trim(),
      meta,
      params,
      access_grants: draft.grants,
    },
  };
}

/** Entries whose text stays keep what else clients of Open WebUI say of them, such as their titles. */
function suggestedBy({ suggestions }: ModelDraft, { meta }: ModelForm): { suggestion_prompts?: unknown[] } {
  const lines = linesOf(suggestions);
  if (lines.length === 0 && !("suggestion_prompts" in meta)) return {};
  const before = Array.isArray(meta["suggestion_prompts"]) ? (meta["suggestion_prompts"] as unknown[]) : [];
  const entryOf = (content: string) =>
    before.find((entry) => suggestionsIn({ suggestion_prompts: [entry] })[0] === content);
  return { suggestion_prompts: lines.map((content) => entryOf(content) ?? { content }) };
}

function linesOf(text: string): string[] {
  return [...new Set(text.split("\n").map((line) => line.trim()))].filter((line) => line !== "").slice(0, 20);
}

/** Keys that say nothing stay away. */
function contextBy(
  { meta }: ModelForm,
  contextLength: number | undefined,
  { enabled, share }: { enabled: ModelDraft["compaction"]; share: number | undefined },
): Record<string, unknown> {
  const { enabled: _enabled, share: _share, ...others } = compactionOf(meta);
  const compaction = {
    ...others,
    ...(enabled === "" ? {} : { enabled: enabled === "yes" }),
    ...(share === undefined ? {} : { share }),
  };
  return {
    ...(contextLength === undefined && !("context_length" in meta) ? {} : { context_length: contextLength ?? null }),
    ...(Object.keys(compaction).length === 0 && !("compaction" in meta) ? {} : { compaction }),
  };
}

/** What else is said that the model can do stays as it is. */
function capabilitiesBy(
  { vision, chat, features }: ModelDraft,
  { meta }: ModelForm,
): { capabilities?: Record<string, unknown> } {
  const never = modelFeatures.filter((id) => features[id] === "never");
  if (vision === "" && chat === "" && never.length === 0 && !("capabilities" in meta)) return {};
  const before = capabilitiesIn(meta);
  const isKept = (name: string): boolean =>
    name !== "vision" && name !== "chat" && !(before[name] === false && modelFeatures.some((id) => id === name));
  const others = Object.fromEntries(Object.entries(before).filter(([name]) => isKept(name)));
  const said = Object.entries({ vision, chat }).filter(([, value]) => value !== "");
  return {
    capabilities: {
      ...others,
      ...Object.fromEntries(said.map(([name, value]) => [name, value === "yes"])),
      ...Object.fromEntries(never.map((id) => [id, false])),
    },
  };
}

function defaultFeaturesBy({ features }: ModelDraft, { meta }: ModelForm): { defaultFeatureIds?: unknown[] } {
  const before = Array.isArray(meta["defaultFeatureIds"]) ? (meta["defaultFeatureIds"] as unknown[]) : [];
  const others = before.filter((id) => !modelFeatures.some((known) => known === id));
  const ids = [...others, ...modelFeatures.filter((id) => features[id] === "default")];
  return ids.length === 0 && !("defaultFeatureIds" in meta) ? {} : { defaultFeatureIds: ids };
}

/** A switch of a filter that does not go with the model is on for nobody. Keys that say nothing stay away. */
function boundBy({ plugins }: ModelDraft, form: ModelForm): Record<string, string[]> {
  return Object.fromEntries(
    pluginBindings
      .map((key) => [key, plugins[key]] as const)
      .filter(([key, ids]) => ids.length > 0 || key in form.meta),
  );
}
