import { apiResponse } from "../../lib/api.ts";
import { Resource } from "../../lib/resource.svelte.ts";
import { session } from "../../lib/session.svelte.ts";
import { seesPictures } from "./sees-pictures.ts";

/** A model as `GET /api/models` lists it. */
export interface Model {
  id: string;
  name?: string;
  owned_by?: string;
  info?: {
    base_model_id?: string | null;
    meta?: {
      description?: string | null;
      profile_image_url?: string | null;
      toolIds?: string[] | null;
      capabilities?: { vision?: boolean | null; code_interpreter?: boolean | null } | null;
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
  /** Of a connection of the person's own. */
  direct?: true;
  /** A function answers. */
  pipe?: unknown;
  /** The function has settings for each person. */
  has_user_valves?: boolean;
}

/** The model that answers while nothing is connected. */
export const guideId = "parley-guide";

interface ModelList {
  models: Model[];
  /** Names of connections that do not answer. */
  unreachable: string;
}

async function loadModels(signal: AbortSignal): Promise<ModelList> {
  const response = await apiResponse("GET", "/api/models", { signal });
  const body = (await response.json()) as { data: Model[] };
  return { models: body.data, unreachable: response.headers.get("x-parley-unreachable") ?? "" };
}

/** The models of the person, loaded once for the app and again whenever the picker opens, and which one was used last. */
class Models {
  readonly list = new Resource(loadModels);
  #first: Promise<void> | undefined;
  /** Chosen for the next message of the chat in view; undefined until the person or the chat says which. */
  chosenId = $state<string | undefined>(undefined);

  get all(): Model[] {
    return this.list.data?.models ?? [];
  }

  /** Those of the service: what others see, too, cannot name a model of the person's own. */
  get shared(): Model[] {
    return this.all.filter((model) => !model.direct);
  }

  /** Further models that the next message goes to, beside the current one. */
  besideIds = $state.raw<readonly string[]>([]);

  /** All models that the next message goes to; empty while there is none. */
  get selection(): Model[] {
    const { current } = this;
    const beside = this.besideIds.flatMap((id) => (id === current?.id ? [] : (this.find(id) ?? [])));
    return current ? [current, ...beside] : [];
  }

  /** The model that the next message goes to, of several the first. A choice that is not available any more is kept visible but not used. */
  get current(): Model | undefined {
    const wanted = this.chosenId ?? this.#remembered();
    const found = this.find(wanted);
    if (found || this.chosenId !== undefined) return found;
    const preset = session.config.default_models?.split(",")[0]?.trim();
    return this.find(preset) ?? this.all[0];
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
    return this.all.find((model) => model.id === id);
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
