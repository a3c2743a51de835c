/** What stands in a tag besides its name; looked at only when somebody asks. */
export class Attributes {
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  /** By its full name (`r:id`), or by its local name, whatever the prefix. */
  get(name: string): string | undefined {
    const source = this.#source;
    for (let at = source.indexOf(name); at >= 0; at = source.indexOf(name, at + 1)) {
      const before = source.charCodeAt(at - 1);
      // Blank, or the colon of a prefix: else it is the end of a longer name, or in a value.
      if (!(before <= 32) && (before !== 58 || name.includes(":"))) continue;
      const value = /^\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(
        source.slice(at + name.length, at + name.length + maxValueLength),
      );
      if (value) return decodeEntities(value[1] ?? value[2] ?? "");
    }
    return undefined;
  }

  /** All of them, by their local names, at most so many. */
  *entries(maxEntries: number): Generator<[name: string, value: string], undefined> {
    let left = maxEntries;
    for (const [, name = "", one, two] of this.#source.slice(0, maxValueLength).matchAll(attribute)) {
      if (name.startsWith("xmlns")) continue;
      if (left-- <= 0) return;
      yield [name.slice(name.indexOf(":") + 1), decodeEntities(one ?? two ?? "")];
    }
  }

  /** A whole number; undefined where there is none. */
  number(name: string): number | undefined {
    const value = Number.parseInt(this.get(name) ?? "", 10);
    return Number.isSafeInteger(value) ? value : undefined;
  }

  /** The switches of Office: there without a value means on. */
  isOn(name: string): boolean {
    return !/^(0|false|off|none)$/i.test(this.get(name) ?? "");
  }
}

const attribute = /([^\s=<>"'/]{1,200})\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** Of longer values the beginning is not looked for either. */
const maxValueLength = 20_000;

const named: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** The five entities of XML and characters by number; others stay as they are. */
export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(#x[\da-f]{1,6}|#\d{1,7}|amp|lt|gt|quot|apos);/gi, (whole, entity: string) => {
    if (!entity.startsWith("#")) return named[entity.toLowerCase()] ?? whole;
    const isHex = /^#x/i.test(entity);
    const code = Number.parseInt(entity.slice(isHex ? 2 : 1), isHex ? 16 : 10);
    // No character at all, or half of one.
    if (code === 0 || code > 0x10_ffff || (code >= 0xd800 && code < 0xe000)) return "\ufffd";
    return String.fromCodePoint(code);
  });
}
