/** How far somebody has followed who comes and goes, in one life of the directory. */
export interface DirectoryCursor {
  life: string;
  /** Number of the last change that is known. */
  at: number;
}

/** Somebody has something open now, or nothing more. */
export interface DirectoryChange {
  userId: string;
  isOpen: boolean;
}

/** Knows which people have something open. */
export interface OnlineDirectory {
  /** Those of the people who have something open, and from where on to follow them with `since`. */
  open(userIds: readonly string[]): Promise<{ open: string[]; cursor: DirectoryCursor }>;
  /** Who has come and gone since then, in this order; undefined where the directory no longer knows. */
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
 * Those of a channel's members who have something open: members are loaded when there are others, and the directory is asked
 * only for what has changed, so that an event costs the same whether a channel has five members or five thousand.
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
   * Whoever has something open now is among them: tabs are welcomed only when the directory knows of their person.
   * @param version of the members that an event is for; later ones count too
   * @throws whatever the database or the directory does; what is known stays
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
      // What changes while it is asked in parts is told again by what comes after the first of them.
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

  /** @returns from where on to follow; undefined where nobody was asked for */
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
