import { chatsApi } from "../chats-api.ts";

export type Params = Readonly<Record<string, unknown>>;

/** The parameters of the chat in view. What is changed counts at once, and is stored with the chat as soon as there is one. */
export class ChatParams {
  values = $state.raw<Params>({});
  /** The last change did not reach the service. */
  failed = $state(false);
  #chatId: string | undefined;
  /** Changes that are not stored. */
  #isDirty = false;
  #saving: Promise<void> | undefined;

  /** Shows those of another chat; undefined for one that is not stored. */
  open(chatId: string | undefined): void {
    this.#chatId = chatId;
    this.values = {};
    this.#isDirty = false;
    this.failed = false;
  }

  /** The new chat is stored, with the parameters that its first turn had. */
  becomes(chatId: string, stored: Params | undefined): void {
    this.#chatId = chatId;
    this.#isDirty = JSON.stringify(stored ?? {}) !== JSON.stringify(this.values);
    void this.save();
  }

  /** Takes what the service has stored; a change that is on its way wins. */
  take(stored: unknown): void {
    if (this.#isDirty || typeof stored !== "object" || stored === null || Array.isArray(stored)) return;
    this.values = stored as Params;
  }

  /** Sets one parameter; undefined and an empty text take it away. */
  set(name: string, value: unknown): void {
    const { [name]: _, ...rest } = this.values;
    this.#change(value === undefined || value === "" ? rest : { ...rest, [name]: value });
  }

  /** Goes back to what the models have of their own. */
  reset(): void {
    this.#change({});
  }

  #change(values: Params): void {
    if (JSON.stringify(values) === JSON.stringify(this.values)) return;
    this.values = values;
    this.#isDirty = true;
    void this.save();
  }

  /** Resolves when all changes are stored, or could not be. */
  async save(): Promise<void> {
    if (this.#saving) return this.#saving;
    this.#saving = this.#saveAll();
    await this.#saving;
    this.#saving = undefined;
  }

  async #saveAll(): Promise<void> {
    while (this.#isDirty && this.#chatId !== undefined) {
      const [chatId, values] = [this.#chatId, this.values];
      try {
        await chatsApi.saveParams(chatId, values);
        if (chatId !== this.#chatId) continue;
        this.failed = false;
        this.#isDirty = values !== this.values;
      } catch {
        // What the chat has on screen still goes along with the next try, which the next change or message makes.
        this.failed = chatId === this.#chatId;
        return;
      }
    }
  }
}
