import { Resource } from "../../../lib/resource.svelte.ts";
import type { Turn } from "../chats-api.ts";
import { featuresFor, isOnByDefault } from "../features/composer-features.ts";
import { type Model, models } from "../models.svelte.ts";
import { forgetChoice, readChoice, writeChoice, type StoredChoice } from "./stored-choice.ts";
import { toolsApi } from "./tools-api.ts";

/** What may be used for the answers of the chat in view: chosen by the person, or as the model proposes it. One for the app. */
class ToolChoice {
  readonly offers = new Resource((signal) => toolsApi.list(signal));
  #choice = $state.raw<StoredChoice>({});
  #person = "";
  #chatId: string | undefined;
  #asked = false;

  /** Loads what is offered, unless that was done. */
  start(): void {
    if (this.#asked) return;
    this.#asked = true;
    void this.offers.reload();
  }

  /** Shows the choice of another chat; undefined for a new one. */
  open(person: string, chatId: string | undefined): void {
    this.#person = person;
    this.#chatId = chatId;
    this.#choice = readChoice(person, chatId);
  }

  /** The new chat has got an id: what was chosen for it goes on there. */
  becomes(chatId: string): void {
    forgetChoice(this.#person, undefined);
    this.#chatId = chatId;
    writeChoice(this.#person, chatId, this.#choice);
  }

  /** Whether the person has chosen anything here. */
  get isOwn(): boolean {
    const { tools, filters, features } = this.#choice;
    return tools !== undefined || filters !== undefined || features !== undefined;
  }

  hasTool(id: string, model: Model | undefined): boolean {
    return this.#tools(model).includes(id);
  }

  hasFilter(filter: { id: string; default: boolean }): boolean {
    return this.#choice.filters?.[filter.id] ?? filter.default;
  }

  hasFeature(id: string, model: Model | undefined): boolean {
    return this.#choice.features?.[id] ?? isOnByDefault(model, id);
  }

  switchFeature(id: string, on: boolean): void {
    this.#keep({ ...this.#choice, features: { ...this.#choice.features, [id]: on } });
  }

  switchTool(id: string, on: boolean, model: Model | undefined): void {
    const others = this.#tools(model).filter((each) => each !== id);
    this.#keep({ ...this.#choice, tools: on ? [...others, id] : others });
  }

  switchFilter(id: string, on: boolean): void {
    this.#keep({ ...this.#choice, filters: { ...this.#choice.filters, [id]: on } });
  }

  /** Goes back to what the model proposes. */
  reset(): void {
    this.#keep({});
  }

  /** How many are on, as far as they are known. */
  count(model: Model | undefined): number {
    const offered = new Set(this.offers.data?.map(({ id }) => id));
    const tools = this.#tools(model).filter((id) => offered.has(id)).length;
    const features = featuresFor(model).filter(({ id }) => this.hasFeature(id, model)).length;
    return tools + features + (model?.filters ?? []).filter((filter) => this.hasFilter(filter)).length;
  }

  /**
   * For the next turn. Without a choice of the person the model's own tools count, which the service knows. Filters that do not
   * go with one of its models do nothing there.
   */
  wanted(modelIds: readonly string[]): Pick<Turn, "toolIds" | "filterIds" | "features"> {
    const offeredFilters = modelIds.flatMap((id) => models.find(id)?.filters ?? []);
    const filters = new Set(offeredFilters.filter((filter) => this.hasFilter(filter)).map(({ id }) => id));
    const offered = this.offers.data && new Set(this.offers.data.map(({ id }) => id));
    const { tools } = this.#choice;
    const features = modelIds.flatMap((id) => {
      const model = models.find(id);
      return featuresFor(model).filter((feature) => this.hasFeature(feature.id, model));
    });
    return {
      // What is not offered any more would only make a note in every answer.
      ...(tools ? { toolIds: offered ? tools.filter((id) => offered.has(id)) : tools } : {}),
      filterIds: [...filters],
      ...(features.length > 0 ? { features: features.map(({ id }) => id) } : {}),
    };
  }

  #tools(model: Model | undefined): readonly string[] {
    return this.#choice.tools ?? model?.info?.meta?.toolIds ?? [];
  }

  #keep(choice: StoredChoice): void {
    this.#choice = choice;
    writeChoice(this.#person, this.#chatId, choice);
  }
}

export const toolChoice = new ToolChoice();
