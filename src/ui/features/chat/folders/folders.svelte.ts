import { SvelteSet } from "svelte/reactivity";
import { inOrder } from "../../../lib/in-order.ts";
import { live } from "../../../lib/live/live.svelte.ts";
import { session } from "../../../lib/session.svelte.ts";
import { chatList } from "../chat-list.svelte.ts";
import { treeOf } from "./folder-tree.ts";
import { type Folder, foldersApi, listFolders } from "./folders-api.ts";

/** The person's folders as the rail shows them, kept up to date by live events. One for the app. */
class Folders {
  all = $state.raw<Folder[]>([]);
  loaded = $state(false);
  readonly tree = $derived(treeOf(this.all));
  /** Folders with more chats than the rail shows. */
  readonly long = new SvelteSet<string>();
  /** Folders of others that are open: kept in this tab only. */
  readonly #openShared = new SvelteSet<string>();
  /** What was opened or closed here, until the service has noted it. */
  readonly #turned = new Map<string, boolean>();
  readonly #inTurn = inOrder();
  #started = false;
  #running: AbortController | undefined;
  #isListing = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  get allowed(): boolean {
    return session.may("features", "folders");
  }

  /** Loads the list and listens from now on. Calling it again does nothing. */
  start(): void {
    if (this.#started || !this.allowed) return;
    this.#started = true;
    live.onEvent(({ data }) => {
      if (data.type === "chat:list") this.#reloadSoon();
    });
    live.onReload((first) => this.#reloadSoon(first ? 3000 : 250));
    void this.reload();
  }

  /** Loads folders and the chats of open ones again. Never rejects; what was known stays when it fails. */
  async reload(): Promise<void> {
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    this.#isListing = true;
    try {
      const all = await listFolders(running.signal);
      if (running.signal.aborted) return;
      this.#isListing = false;
      this.all = all.map((folder) => ({ ...folder, is_expanded: this.#turned.get(folder.id) ?? folder.is_expanded }));
      this.loaded = true;
      await Promise.all(
        this.all.filter((folder) => this.isOpen(folder)).map(({ id }) => this.#loadChats(id, running.signal)),
      );
    } catch {
      // The next event, or the next connection, brings it.
      if (!running.signal.aborted) this.#isListing = false;
    }
  }

  find(id: string | null | undefined): Folder | undefined {
    return this.all.find((folder) => folder.id === id);
  }

  isOpen(folder: Folder): boolean {
    return folder.owner === undefined ? folder.is_expanded : this.#openShared.has(folder.id);
  }

  /** Shows what is in a folder, or hides it. */
  async toggle(folder: Folder, isOpen = !this.isOpen(folder)): Promise<void> {
    if (folder.owner === undefined) this.#put({ ...folder, is_expanded: isOpen });
    else if (isOpen) this.#openShared.add(folder.id);
    else this.#openShared.delete(folder.id);
    if (folder.owner === undefined) void this.#keepTurned(folder.id, isOpen);
    if (isOpen) await this.#loadChats(folder.id).catch(() => undefined);
  }

  async #keepTurned(id: string, isOpen: boolean): Promise<void> {
    this.#turned.set(id, isOpen);
    await this.#inTurn(() => foldersApi.expand(id, isOpen)).catch(() => undefined);
    if (this.#turned.get(id) === isOpen) this.#turned.delete(id);
    // What is on its way may not know of it.
    if (this.#isListing) void this.reload();
  }

  async create(name: string, parentId: string | null): Promise<string> {
    const made = await foldersApi.create(name, parentId);
    const parent = this.find(parentId);
    if (parent && !this.isOpen(parent)) void this.toggle(parent, true);
    await this.reload();
    return made.id;
  }

  async rename(folder: Folder, name: string): Promise<void> {
    this.#put({ ...folder, name });
    await foldersApi.change(folder.id, { name }).catch((cause: unknown) => {
      this.#put(folder);
      throw cause;
    });
  }

  async move(id: string, parentId: string | null): Promise<void> {
    await foldersApi.move(id, parentId);
    await this.reload();
  }

  async moveChat(chatId: string, folderId: string | null): Promise<void> {
    await foldersApi.moveChat(chatId, folderId);
    await Promise.all([this.reload(), chatList.reload()]);
    chatList.file(chatId, folderId);
  }

  async remove(id: string, withChats: boolean): Promise<void> {
    await foldersApi.remove(id, withChats);
    await Promise.all([this.reload(), chatList.reload()]);
  }

  async #loadChats(id: string, signal?: AbortSignal): Promise<void> {
    const { chats, next } = await foldersApi.chats(id, undefined, signal);
    if (signal?.aborted) return;
    chatList.fill(id, chats);
    if (next === undefined) this.long.delete(id);
    else this.long.add(id);
  }

  #put(folder: Folder): void {
    this.all = this.all.map((each) => (each.id === folder.id ? folder : each));
  }

  /** Several changes in a moment become one request. */
  #reloadSoon(wait = 250): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.reload(), wait);
  }
}

export const folders = new Folders();
