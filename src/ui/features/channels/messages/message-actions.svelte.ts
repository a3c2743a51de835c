import type { ChannelMessage, ChannelView } from "../../../../channels/schema.ts";
import { explainError } from "../../../components/explain-error.ts";
import { toApiError } from "../../../lib/api-error.ts";
import { publicAddress } from "../../../lib/base-path.ts";
import { session } from "../../../lib/session.svelte.ts";
import { toasts } from "../../../lib/toasts.svelte.ts";
import { channelsApi } from "../channels-api.ts";
import { isBy } from "../count-unread.ts";
import { texts } from "../texts.ts";
import type { OwnReaction } from "./with-reaction.ts";

/** What the actions need from the list that they belong to. */
export interface ActionOptions {
  channel: () => ChannelView | undefined;
  /** Shows a message as it is now. */
  take: (message: ChannelMessage) => void;
  /** The message is gone. */
  drop: (message: ChannelMessage) => void;
  /** Shows a reaction of the person before the service has it; the returned function takes it back. */
  react: (message: ChannelMessage, reaction: OwnReaction) => () => void;
  /** Quotes it in the message being written. */
  onquote: (message: ChannelMessage) => void;
  /** Opens the thread below it; undefined in threads, which are one deep. */
  onthread?: (message: ChannelMessage) => void;
  /** The editor has closed: the focus goes back to the field. */
  onedited: () => void;
}

/** What a person can do with messages, and which of them they are about to change. */
export class MessageActions {
  /** Id of the message that is being edited. */
  editing = $state<string>();
  /** The message that is about to be deleted. */
  removing = $state.raw<ChannelMessage>();
  readonly #options: ActionOptions;

  constructor(options: ActionOptions) {
    this.#options = options;
  }

  /** The person may write here: whatever changes a message needs it. */
  get mayWrite(): boolean {
    return this.#options.channel()?.write_access === true;
  }

  /** The channel that the messages are in, for whom they may name. */
  get place(): Pick<ChannelView, "id" | "type"> {
    return this.#options.channel() ?? { id: "", type: "group" };
  }

  get hasThreads(): boolean {
    return this.#options.onthread !== undefined;
  }

  mayEdit(message: ChannelMessage): boolean {
    return this.mayWrite && this.isOwn(message) && message.deleted_at === null;
  }

  mayRemove(message: ChannelMessage): boolean {
    if (message.deleted_at !== null) return false;
    return (this.mayWrite && message.user_id === session.person?.id) || this.#options.channel()?.is_manager === true;
  }

  /** A model's answer that the person asked for or manages: they can stop it and ask again. */
  maySteer(message: ChannelMessage): boolean {
    return message.user.role === "assistant" && this.mayRemove(message);
  }

  isOwn(message: ChannelMessage): boolean {
    return isBy(message, session.person?.id ?? "");
  }

  edit(message: ChannelMessage): void {
    if (this.mayEdit(message)) this.editing = message.id;
  }

  stopEditing(): void {
    this.editing = undefined;
    this.#options.onedited();
  }

  /** Stores a changed text. @throws ApiError when it was not stored: the editor stays open then */
  async save(message: ChannelMessage, content: string): Promise<void> {
    if (content !== message.content)
      this.#options.take(await channelsApi.edit(message.channel_id, message.id, content));
    this.stopEditing();
  }

  quote(message: ChannelMessage): void {
    this.#options.onquote(message);
  }

  thread(message: ChannelMessage): void {
    this.#options.onthread?.(message);
  }

  /** Shown at once, and taken back when the service refuses. */
  async react(message: ChannelMessage, name: string, isAdded: boolean): Promise<void> {
    const { person } = session;
    if (!person) return;
    const takeBack = this.#options.react(message, { name, person, isAdded });
    await this.#attempt(() => channelsApi.react(message.channel_id, message.id, name, isAdded), takeBack);
  }

  async pin(message: ChannelMessage): Promise<void> {
    await this.#attempt(async () => {
      this.#options.take(await channelsApi.pin(message.channel_id, message.id, !message.is_pinned));
    });
  }

  /** @throws ApiError when it was not deleted */
  async remove(message: ChannelMessage): Promise<void> {
    await channelsApi.remove(message.channel_id, message.id);
    this.#options.drop(message);
  }

  async stop(message: ChannelMessage): Promise<void> {
    await this.#attempt(async () => {
      this.#options.take(await channelsApi.stop(message.channel_id, message.id));
    });
  }

  async regenerate(message: ChannelMessage): Promise<void> {
    await this.#attempt(async () => {
      this.#options.take(await channelsApi.regenerate(message.channel_id, message.id));
    });
  }

  async copy(message: ChannelMessage): Promise<void> {
    await this.#copy(message.content);
  }

  async copyLink(message: ChannelMessage): Promise<void> {
    await this.#copy(publicAddress() + messageAddress(message));
  }

  async #copy(text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      toasts.show(texts.actions.copied);
    } catch {
      toasts.show(texts.actions.notCopied, { kind: "warn" });
    }
  }

  async #attempt(work: () => Promise<unknown>, takeBack?: () => void): Promise<void> {
    try {
      await work();
    } catch (cause) {
      takeBack?.();
      toasts.show(`${texts.actions.failed} ${explainError(toApiError(cause))}`, { kind: "danger" });
    }
  }
}

/** Address of a message: its thread where it stands in one, and its place in the channel otherwise. */
export function messageAddress(message: Pick<ChannelMessage, "id" | "channel_id" | "parent_id" | "seq">): string {
  const thread = message.parent_id === null ? "" : `thread=${encodeURIComponent(message.parent_id)}&`;
  return `/channels/${encodeURIComponent(message.channel_id)}?${thread}at=${message.seq}`;
}
