import { api, apiResponse } from "../../lib/api.ts";
import { loadOwnUi, storeOwnUi } from "../../lib/own-ui.ts";
import { Resource } from "../../lib/resource.svelte.ts";
import { session } from "../../lib/session.svelte.ts";
import { chatModels, groupModels } from "./order-models.ts";
import { seesPictures } from "./sees-pictures.ts";

/** A model as `GET /api/models` lists it. */
export interface Model {
  id: string;
  name?: string;
  owned_by?: string;
  /** Tokens of its context, where somebody says. */
  context_length?: number;
  info?: {
    user_id?: string | null;
    base_model_id?: string | null;
    meta?: {
      description?: string | null;
      profile_image_url?: string | null;
      toolIds?: string[] | null;
      capabilities?: Record<string, boolean | null | undefined> | null;
      /** What new chats with it have switched on. */
      defaultFeatureIds?: string[] | null;
    } | null;
  } | null;
  tags?: { name: string }[];
  /** What its provider lists of it, by the kind of connection. */
  openai?: Record<string, unknown>;
  ollama?: Record<string, unknown>;
  /** Buttons of plugins under its answers. */
  actions?: { id: string; name: string; description?: string; icon?: string | null }[];
  /** Filters that can be switched on and off in a chat; `default`: the model proposes them. */
  filters?: {
    id: string;
    name: string;
    description?: string;
    default: boolean;
    has_user_valves?: boolean;
  }[];
  /** An assistant: another model with instructions. */
  preset?: true;
  /** Of a connection of the person's own. */
  direct?: true;
  /** A function answers. */
  pipe?: unknown;
  /** The function has settings for each person. */
  has_user_valves?: boolean;
}

/** The model that answers while nothing is connected. */
export const guideId = "parley-guide";
/** What a newcomer can ask it: in English, as the pages that it looks up. */
export const guideQuestions = ["How do I connect a model?", "How do I invite people?", "What is a knowledge base?"];

interface OwnChoice {
  defaults: string[];
  /** Undefined until they pin or unpin something. */
  pinned?: string[] | undefined;
}

interface ModelList {
  models: Model[];
  /** Names of connections that do not answer. */
  unreachable: string;
  /** The person's own choice, under the names of Open WebUI; undefined where it is not known. */
  own?: OwnChoice;
}

async function loadModels(signal: AbortSignal): Promise<ModelList> {
  const response = await apiResponse("GET", "/api/models", { signal });
  // After the list, so that the first paint waits for one request less. Without it people can chat all the same.
  const ui = await loadOwnUi(signal).catch(() => undefined);
  const body = (await response.json()) as { data: Model[] };
  return {
    models: body.data,
    unreachable: response.headers.get("x-parley-unreachable") ?? "",
    ...(ui
      ? {
          own: {
            defaults: idsIn(ui["models"]),
            pinned:
              ui["pinnedModels"] === undefined || ui["pinnedModels"] === null ? undefined : idsIn(ui["pinnedModels"]),
          },
        }
      : {}),
  };
}

function idsIn(value: unknown): string[] {
  const list: unknown[] = Array.isArray(value) ? value : typeof value === "string" ? value.split(",") : [];
  return list.flatMap((id) => (typeof id === "string" && id.trim() !== "" ? [id.trim()] : []));
}

/** The models of the person, loaded once for the app and again whenever the picker opens, and which one was used last. */
class Models {
  readonly list = new Resource(loadModels);
  #first: Promise<void> | undefined;
  /** Chosen for the next message of the chat in view; undefined until the person or the chat says which. */
  chosenId = $state<string | undefined>(undefined);

  /** Also those that answer no chats. */
  get #listed(): Model[] {
    return this.list.data?.models ?? [];
  }

  /** What can be chosen for a chat, in parts and in the order in which people see it. */
  readonly groups = $derived(groupModels(chatModels(this.#listed), this.pinned, session.person?.id));

  /** What can be chosen for a chat, as the person has ordered it. */
  readonly all = $derived(this.groups.flatMap((group) => group.models));

  /** Ids of what the person has pinned; until they pin something, what an administrator has. */
  get pinned(): string[] {
    return this.list.data?.own?.pinned ?? idsIn(session.config.default_pinned_models);
  }

  /** What new chats start with, if the person has said so. */
  get ownDefaults(): string[] {
    return this.list.data?.own?.defaults ?? [];
  }

  /** What new chats of the person's organization start with, as far as they see it. */
  get sharedDefaults(): string[] {
    return idsIn(session.config.default_models);
  }

  /** Pins a model, or takes the pin off. */
  pin(id: string, on: boolean): Promise<void> {
    const others = this.pinned.filter((each) => each !== id);
    return this.#keep({ pinned: on ? [...others, id] : others });
  }

  /** Makes new chats start with this model; undefined: with the one that was used last. */
  startWith(id: string | undefined): Promise<void> {
    return this.#keep({ defaults: id === undefined ? [] : [id] });
  }

  /** Shows the choice at once and takes it back where it could not be stored. @throws ApiError */
  async #keep(change: Partial<OwnChoice>): Promise<void> {
    const before = this.list.data;
    if (!before) return;
    const own: OwnChoice = { defaults: this.ownDefaults, pinned: before.own?.pinned, ...change };
    this.list.data = { ...before, own };
    try {
      await storeOwnUi({
        ...(change.defaults ? { models: change.defaults } : {}),
        ...(change.pinned ? { pinnedModels: change.pinned } : {}),
      });
    } catch (cause) {
      if (this.list.data?.own === own) this.list.data = before;
      throw cause;
    }
  }

  /** Those of the service: what others see, too, cannot name a model of the person's own. */
  get shared(): Model[] {
    return this.all.filter((model) => !model.direct);
  }

  /** Further models that the next message goes to, beside the current one. */
  besideIds = $state.raw<readonly string[]>([]);

  /** A new chat starts with all of the person's default models. */
  get #beside(): readonly string[] {
    if (this.chosenId !== undefined || !session.may("chat", "multiple_models")) return this.besideIds;
    return this.ownDefaults.slice(1);
  }

  /** All models that the next message goes to; empty while there is none. */
  get selection(): Model[] {
    const { current } = this;
    const beside = this.#beside.flatMap((id) => (id === current?.id ? [] : (this.find(id) ?? [])));
    return current ? [current, ...beside] : [];
  }

  /** The model that the next message goes to, of several the first. A choice that is not available any more is kept visible but not used. */
  get current(): Model | undefined {
    if (this.chosenId !== undefined) return this.find(this.chosenId);
    const wanted = [...this.ownDefaults, this.#remembered(), ...this.sharedDefaults];
    for (const id of wanted) {
      const found = this.all.find((model) => model.id === id);
      if (found) return found;
    }
    return this.all[0];
  }

  get onlyGuide(): boolean {
    return this.all.length === 1 && this.all[0]?.id === guideId;
  }

  /** The model that was chosen or that the chat uses, when it is not offered any more. */
  get gone(): string | undefined {
    return this.current || !this.list.data ? undefined : this.chosenId;
  }

  /** Whether the list has arrived and holds nothing. */
  get isEmpty(): boolean {
    return this.list.data !== undefined && this.all.length === 0;
  }

  /** Loads the list, again if that was done; what is known stays in use meanwhile. */
  async refresh(): Promise<void> {
    if (this.#first === undefined) await this.start();
    else await this.list.reload();
  }

  /** Loads the list unless that was done. Resolves when it is there, or has failed. */
  start(): Promise<void> {
    this.#first ??= this.list.reload();
    return this.#first;
  }

  find(id: string | null | undefined): Model | undefined {
    return this.#listed.find((model) => model.id === id);
  }

  /** Whether a model is given pictures as such; undefined where nobody knows. */
  sees(model: Model): boolean | undefined {
    return seesPictures(model, this.find(model.info?.base_model_id));
  }

  /** What to call a model; its id when it is not listed (any more). */
  nameOf(id: string | undefined): string {
    if (id === undefined) return "";
    return this.find(id)?.name || id;
  }

  /** Makes new chats of everyone in the organization start with this model, or with that of all organizations. @throws ApiError */
  async startAllWith(id: string | undefined): Promise<void> {
    const { organization_id: organization } = session.person ?? {};
    if (organization === undefined) return;
    const path = `/api/v1/organizations/${encodeURIComponent(organization)}`;
    await api("PATCH", path, { body: { default_models: id === undefined ? null : [id] } });
    await session.refreshConfig();
  }

  /** Takes a choice of the person and remembers it for new chats. */
  choose(id: string): void {
    this.chosenId = id;
    this.besideIds = [];
    try {
      localStorage.setItem(this.#key, id);
    } catch {
      // Without storage the choice lasts as long as the page.
    }
  }

  /** Takes a choice for this chat; the first one is the current one. */
  compare(ids: readonly string[]): void {
    this.chosenId = ids[0];
    this.besideIds = session.may("chat", "multiple_models") ? ids.slice(1) : [];
  }

  get #key(): string {
    return `parley:model:${session.person?.id ?? ""}`;
  }

  #remembered(): string | undefined {
    try {
      return localStorage.getItem(this.#key) ?? undefined;
    } catch {
      return undefined;
    }
  }
}

export const models = new Models();
