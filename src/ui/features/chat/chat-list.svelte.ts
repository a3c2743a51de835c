import type { LiveEvent } from "../../../shared/live-protocol.ts";
import { type ApiError, toApiError } from "../../lib/api-error.ts";
import { inOrder } from "../../lib/in-order.ts";
import { isRecord, textField } from "../../lib/live/live-state.ts";
import { live } from "../../lib/live/live.svelte.ts";
import { nowSeconds } from "../../lib/now-seconds.ts";
import { online } from "../../lib/online.svelte.ts";
import { type ChatSummary, chatsApi, type StoredChat } from "./chats-api.ts";
import { mergeFirstPage } from "./group-chats.ts";
import { readTags } from "./tags/read-tags.ts";

/** The person's chats as the rail shows them, kept up to date by live events. One for the app. */
class ChatList {
  chats = $state.raw<ChatSummary[]>([]);
  /** Chats in folders that are known: those of open folders, and the one in view. */
  filed = $state.raw<ChatSummary[]>([]);
  error = $state.raw<ApiError | undefined>(undefined);
  /** True from the first answer on. */
  loaded = $state(false);
  loadingMore = $state(false);
  /** Where the chats begin that are not loaded yet; undefined when there are none. */
  next = $state<string | undefined>(undefined);
  readonly #inTurn = inOrder();
  #started = false;
  #running: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Loads the first page and listens from now on. Calling it again does nothing. */
  start(): void {
    if (this.#started) return;
    this.#started = true;
    live.onEvent((event) => this.#hear(event));
    // The list that is on its way at the first connection is new enough to start with.
    live.onReload((first) => this.#reloadSoon(first ? 3000 : 250));
    void this.reload();
  }

  /** Loads the first page again. Never rejects; what was known stays when it fails. */
  async reload(): Promise<void> {
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    try {
      const [first, pinned] = await Promise.all([
        chatsApi.list(undefined, running.signal),
        chatsApi.pinned(running.signal),
      ]);
      if (running.signal.aborted) return;
      const pins = pinned.map((chat) => ({ ...chat, pinned: true }));
      const pinnedIds = new Set(pins.map((chat) => chat.id));
      const rest = first.chats.filter((chat) => !pinnedIds.has(chat.id));
      this.chats = mergeFirstPage(this.chats, [...pins, ...rest], first.next !== undefined);
      // Older pages that are loaded already stay, and so does the place after them.
      if (this.chats.length <= pins.length + rest.length) this.next = first.next;
      this.error = undefined;
      this.loaded = true;
    } catch (cause) {
      if (running.signal.aborted) return;
      this.error = toApiError(cause);
      if (this.error.code === "offline") void online.back().then(() => this.reload());
    }
  }

  /** Loads the next older page, unless there is none or one is on its way. */
  async loadMore(): Promise<void> {
    if (this.next === undefined || this.loadingMore) return;
    this.loadingMore = true;
    try {
      const page = await chatsApi.list(this.next);
      const known = new Set(this.chats.map((chat) => chat.id));
      this.chats = [...this.chats, ...page.chats.filter((chat) => !known.has(chat.id))];
      this.next = page.next;
    } catch (cause) {
      this.error = toApiError(cause);
    } finally {
      this.loadingMore = false;
    }
  }

  find(id: string): ChatSummary | undefined {
    return this.chats.find((chat) => chat.id === id) ?? this.filed.find((chat) => chat.id === id);
  }

  inFolder(folderId: string): ChatSummary[] {
    return this.filed
      .filter((chat) => chat.folder_id === folderId)
      .toSorted((a, b) => b.updated_at - a.updated_at || (a.id < b.id ? 1 : -1));
  }

  /** Takes the chats of a folder as they are now. */
  fill(folderId: string, chats: readonly ChatSummary[]): void {
    const ids = new Set(chats.map(({ id }) => id));
    this.filed = [...this.filed.filter((chat) => chat.folder_id !== folderId && !ids.has(chat.id)), ...chats];
  }

  /** A known chat is in this folder now, or in none. */
  file(id: string, folderId: string | null): void {
    const chat = this.find(id);
    if (!chat) return;
    this.filed = this.filed.filter((each) => each.id !== id);
    const moved = { ...chat, folder_id: folderId };
    if (folderId !== null) this.filed = [...this.filed, moved];
    const isListed = folderId === null || chat.pinned === true;
    const rest = this.chats.filter((each) => each.id !== id);
    this.chats = isListed ? [moved, ...rest] : rest;
  }

  /** The chat in view: one in a folder that is closed is known from now on. */
  take({ id, title, created_at, updated_at, folder_id, pinned, chat: { tags = [] } }: StoredChat): void {
    if (this.find(id)) this.change(id, { title, tags });
    else if (folder_id) this.filed = [...this.filed, { id, title, created_at, updated_at, folder_id, pinned, tags }];
  }

  /** Shows a change at once; the service is asked by the caller. Unknown chats are added when they are whole. */
  change(id: string, change: Partial<ChatSummary>): void {
    const changed = (chat: ChatSummary): ChatSummary => (chat.id === id ? { ...chat, ...change } : chat);
    this.chats = this.chats.map(changed);
    this.filed = this.filed.map(changed);
  }

  /** Puts a chat that was just made, or written to, on top. */
  touch(id: string, title: string, folderId?: string): void {
    const now = nowSeconds();
    const made = { id, title, created_at: now, updated_at: now };
    if (this.find(id)) this.change(id, { updated_at: now });
    else if (folderId !== undefined) this.filed = [...this.filed, { ...made, folder_id: folderId }];
    else this.chats = [made, ...this.chats];
  }

  drop(id: string): void {
    this.chats = this.chats.filter((chat) => chat.id !== id);
    this.filed = this.filed.filter((chat) => chat.id !== id);
  }

  async rename(id: string, title: string): Promise<void> {
    await this.#tryChange(id, { title }, () => chatsApi.rename(id, title));
  }

  async pin(id: string, pinned: boolean): Promise<void> {
    await this.#tryChange(id, { pinned }, () => this.#inTurn(() => chatsApi.pin(id, pinned)));
  }

  async archive(id: string): Promise<void> {
    const { chats, filed } = this;
    this.drop(id);
    await this.#inTurn(() => chatsApi.archive(id, true)).catch((cause: unknown) => {
      this.chats = chats;
      this.filed = filed;
      throw cause;
    });
  }

  async unarchive(id: string): Promise<void> {
    await this.#inTurn(() => chatsApi.archive(id, false));
    await this.reload();
  }

  async remove(id: string): Promise<void> {
    await chatsApi.remove(id);
    this.drop(id);
  }

  async #tryChange(id: string, change: Partial<ChatSummary>, send: () => Promise<unknown>): Promise<void> {
    const before = new Map(Object.entries(this.find(id) ?? {}));
    this.change(id, change);
    await send().catch((cause: unknown) => {
      // Only this: the rest may have changed meanwhile.
      this.change(id, Object.fromEntries(Object.keys(change).map((name) => [name, before.get(name)])));
      throw cause;
    });
  }

  #hear(event: LiveEvent): void {
    const { type, data } = event.data;
    if (type === "chat:list") this.#reloadSoon();
    else if (type === "chat:title" && event.chat_id !== undefined) {
      const title = typeof data === "string" ? data : textField(data, "title");
      if (!this.find(event.chat_id)) this.#reloadSoon();
      else if (title) this.change(event.chat_id, { title });
    } else if (type === "chat:tags" && event.chat_id !== undefined) {
      this.change(event.chat_id, { tags: readTags(data) });
    } else if (type === "chat:active" && event.chat_id !== undefined && isRecord(data) && data["active"] === true) {
      if (this.find(event.chat_id)) this.change(event.chat_id, { updated_at: nowSeconds() });
      else this.#reloadSoon();
    }
  }

  /** Several changes in a moment (an import, a clean-up) become one request. */
  #reloadSoon(wait = 250): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.reload(), wait);
  }
}

export const chatList = new ChatList();
