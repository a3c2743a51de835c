/** How far a reader has followed the changes, within one lifetime of the directory. */
export interface DirectoryCursor {
  life: string;
  /** Number of the last change that is known. */
  at: number;
}

/** A person now has open connections, or no longer. */
export interface DirectoryChange {
  userId: string;
  isOpen: boolean;
}

/** Knows which people have open connections. */
export interface OnlineDirectory {
  /** Those of the people with open connections, and a cursor to follow changes with `since`. */
  open(userIds: readonly string[]): Promise<{ open: string[]; cursor: DirectoryCursor }>;
  /** The changes since then, in order; undefined if the directory no longer has them. */
  since(cursor: DirectoryCursor): Promise<{ changes: DirectoryChange[]; cursor: DirectoryCursor } | undefined>;
}

/** People in one question to the directory. */
const maxPerRequest = 5000;

/** The members of a channel as of a version of them. */
export interface ChannelMembers {
  version: number;
  ids: readonly string[];
}

export interface OnlineMembersOptions {
  load(): Promise<ChannelMembers>;
  directory(): OnlineDirectory;
}

/**
 * The members of a channel with open connections: members are loaded when they have changed, and the directory is asked
 * only for changes, so that an event costs the same for five members and five thousand.
 */
export class OnlineMembers {
  readonly #options: OnlineMembersOptions;
  #version = -1;
  #members: ReadonlySet<string> = new Set();
  /** Members of whom the directory was not asked yet. */
  #unasked: readonly string[] = [];
  readonly #open = new Set<string>();
  #cursor: DirectoryCursor | undefined;

  constructor(options: OnlineMembersOptions) {
    this.#options = options;
  }

  /**
   * Includes everyone with an open connection now: tabs are accepted only when the directory knows their person.
   * @param version of the members that an event is for; later ones are fine
   * @throws errors of the database or the directory; the known state stays
   */
  async list(version: number): Promise<ReadonlySet<string>> {
    if (this.#version < version) await this.#load();
    const news = this.#cursor && (await this.#options.directory().since(this.#cursor));
    if (news) {
      for (const { userId, isOpen } of news.changes) {
        if (!isOpen) this.#open.delete(userId);
        else if (this.#members.has(userId)) this.#open.add(userId);
      }
      await this.#ask(this.#unasked);
      this.#cursor = news.cursor;
    } else {
      this.#open.clear();
      this.#cursor = undefined;
      // Changes during the requests come again with the cursor of the first one.
      this.#cursor = await this.#ask([...this.#members]);
    }
    this.#unasked = [];
    return this.#open;
  }

  async #load(): Promise<void> {
    const { version, ids } = await this.#options.load();
    const before = this.#members;
    this.#members = new Set(ids);
    for (const userId of this.#open) if (!this.#members.has(userId)) this.#open.delete(userId);
    this.#unasked = [...this.#unasked, ...ids.filter((id) => !before.has(id))];
    // Maybe not yet the one that was asked for, from a copy of the database that is behind: the next event looks again.
    this.#version = version;
  }

  /** @returns the cursor of the first request; undefined if there was none */
  async #ask(userIds: readonly string[]): Promise<DirectoryCursor | undefined> {
    let first: DirectoryCursor | undefined;
    for (let at = 0; at < userIds.length; at += maxPerRequest) {
      const { open, cursor } = await this.#options.directory().open(userIds.slice(at, at + maxPerRequest));
      first ??= cursor;
      for (const userId of open) if (this.#members.has(userId)) this.#open.add(userId);
    }
    return first;
  }
}
