/** An emoji with what people look for it by. */
export interface Emoji {
  emoji: string;
  name: string;
  /** As people write it between colons; the first is the usual one. */
  codes: readonly string[];
  /** Words, codes and tags, in small letters. */
  words: string;
  group: number;
}

/** An entry of emoji-picker-element-data; what is a part of others only has no group. */
interface Entry {
  emoji: string;
  annotation: string;
  shortcodes?: string[];
  tags?: string[];
  group?: number;
  order: number;
}

/** A group of parts, such as tones of skin. */
const parts = 2;
/** Other names that people know, from Slack: see src/channels/webhooks/senders/emoji-codes.ts. */
const otherCodes: Readonly<Record<string, string>> = { thumbsup: "+1", thumbsdown: "-1", thinking_face: "thinking" };

/** All emoji, loaded when somebody first looks for one. */
class AllEmojis {
  list = $state.raw<readonly Emoji[]>([]);
  #byCode = new Map<string, Emoji>();
  #loading: Promise<void> | undefined;

  /** Resolves when they are there, or cannot be loaded; then the next call tries again. */
  load(): Promise<void> {
    this.#loading ??= import("emoji-picker-element-data/en/github/data.json").then(
      ({ default: data }) => this.#take(data as Entry[]),
      () => void (this.#loading = undefined),
    );
    return this.#loading;
  }

  #take(entries: readonly Entry[]): void {
    const list = entries
      .filter(({ group }) => group !== undefined && group !== parts)
      .toSorted((one, other) => one.order - other.order)
      .map(({ emoji, annotation, shortcodes = [], tags = [], group = 0 }) => ({
        emoji,
        name: annotation,
        codes: shortcodes,
        words: [annotation, ...shortcodes, ...tags].join(" ").toLowerCase(),
        group,
      }));
    for (const each of list) for (const code of each.codes) this.#byCode.set(code, each);
    this.list = list;
  }

  /** The one with a code, once they are loaded. */
  byCode(code: string): Emoji | undefined {
    return this.list.length === 0 ? undefined : this.#byCode.get(otherCodes[code] ?? code);
  }

  /** Those that fit what is looked for: by the beginning of a code first, then by the beginnings of words. */
  find(query: string, most: number): Emoji[] {
    const wanted = query.toLowerCase().replaceAll("_", " ").split(/\s+/u).filter(Boolean);
    const code = query.toLowerCase().replaceAll(/\s+/gu, "_");
    const rank = (each: Emoji): number => {
      if (each.codes.includes(code)) return 0;
      if (each.codes.some((one) => one.startsWith(code))) return 1;
      const words = ` ${each.words.replaceAll("_", " ")}`;
      return wanted.every((word) => words.includes(` ${word}`)) ? 2 : 3;
    };
    return this.list
      .map((each) => ({ each, rank: rank(each) }))
      .filter((entry) => entry.rank < 3)
      .sort((one, other) => one.rank - other.rank)
      .slice(0, most)
      .map(({ each }) => each);
  }
}

export const allEmojis = new AllEmojis();
