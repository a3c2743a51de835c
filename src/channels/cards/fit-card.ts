import { cleanText } from "../../lib/clean-text.ts";
import { cutText } from "../../lib/cut-text.ts";
import { disarmMentions } from "../../shared/mentions.ts";
import type { CardField, CardList, CardPart, CardState, MessageCard } from "./schema.ts";

/** Stands where a text was cut. */
export const cutMark = " … (cut)";

/** Characters of all texts and addresses of a card together. */
const maxCharacters = 14_000;
const maxParts = 10;
const maxFields = 25;
const maxItems = 20;
const maxLinks = 8;
const maxAddress = 2000;
const most = { line: 300, word: 40, text: 6000, value: 1500, item: 500 };

/**
 * The card as it is stored: bounded, with valid Unicode, http(s) addresses and plain colours, and no mention that would
 * call people. What is too long is cut with a mark.
 */
export function fitCard(card: MessageCard): MessageCard {
  const room = new Room();
  const lead = room.text(card.lead, most.text);
  const parts = card.parts
    .slice(0, maxParts)
    .map((part) => fitPart(part, room))
    .filter((part) => !isEmpty(part));
  return { ...(lead === undefined ? {} : { lead }), parts };
}

/** Whether nothing of it can be seen. */
function isEmpty({ author, title, text, state, picture, footer, fields, lists, links }: CardPart): boolean {
  const texts = [author?.name, title, text, state?.word, picture, footer];
  return texts.every((each) => each === undefined) && fields.length + lists.length + links.length === 0;
}

function fitPart(part: CardPart, room: Room): CardPart {
  const author = room.line(part.author?.name);
  return withoutUndefined({
    title: room.line(part.title),
    url: room.address(part.url),
    state: room.state(part.state),
    color: /^#[0-9a-f]{6}$/.test(part.color ?? "") ? part.color : undefined,
    author: author === undefined ? undefined : withoutUndefined({ name: author, url: room.address(part.author?.url) }),
    text: room.text(part.text, most.text),
    fields: part.fields.slice(0, maxFields).flatMap((field) => fitField(field, room) ?? []),
    lists: part.lists.flatMap((list) => fitList(list, room) ?? []),
    picture: room.address(part.picture),
    links: part.links.slice(0, maxLinks).flatMap((link) => {
      const [label, url] = [room.line(link.label), room.address(link.url)];
      return label === undefined || url === undefined ? [] : [{ label, url }];
    }),
    footer: room.line(part.footer),
    at: timeOf(part.at),
  });
}

function fitField(field: CardField, room: Room): CardField | undefined {
  const name = room.line(field.name) ?? "";
  const value = room.text(field.value, most.value);
  return value === undefined ? undefined : { name, value, is_short: field.is_short };
}

function fitList(list: CardList, room: Room): CardList | undefined {
  const items = list.items.slice(0, maxItems).flatMap((item) => {
    const text = room.text(item.text, most.item);
    return text === undefined ? [] : [withoutUndefined({ text, url: room.address(item.url), at: timeOf(item.at) })];
  });
  const more = Math.max(0, list.more + list.items.length - items.length);
  const state = room.state(list.state);
  return state === undefined || items.length + more === 0 ? undefined : { state, items, more };
}

/** What is left of the characters that a card may have. */
class Room {
  #left = maxCharacters;

  /** A text of several lines; undefined where nothing of it can be seen. */
  text(value: string | undefined, max: number): string | undefined {
    const text = disarmMentions(cleanText(value ?? "")).trim();
    if (text === "" || this.#left <= 0) return undefined;
    const cut = cutWithMark(text, Math.min(max, this.#left));
    this.#left -= cut.length;
    return cut;
  }

  /** A text of one line. */
  line(value: string | undefined, max = most.line): string | undefined {
    // Neither can be shown in a line, and marks of direction could turn what stands beside it.
    return this.text((value ?? "").replaceAll(/[\s\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, " "), max);
  }

  state(value: CardState | undefined): CardState | undefined {
    const word = this.line(value?.word, most.word);
    return value && word !== undefined ? { kind: value.kind, word } : undefined;
  }

  address(value: string | undefined): string | undefined {
    const address = webAddress(value);
    if (address === undefined || address.length > this.#left) return undefined;
    this.#left -= address.length;
    return address;
  }
}

/** An http(s) address as it is written; undefined for anything else. */
export function webAddress(value: string | undefined): string | undefined {
  const text = value?.trim() ?? "";
  if (!/^https?:\/\//i.test(text) || text.length > maxAddress || !URL.canParse(text)) return undefined;
  const { href, username, password } = new URL(text);
  // Names before the host make one site look like another.
  return username === "" && password === "" ? href : undefined;
}

export function cutWithMark(text: string, max: number): string {
  return text.length <= max ? text : cutText(text, Math.max(0, max - cutMark.length)).trimEnd() + cutMark;
}

/** Times that `Date` knows. */
function timeOf(at: number | undefined): number | undefined {
  return at !== undefined && Number.isSafeInteger(at) && Math.abs(at) <= 8.64e15 ? at : undefined;
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

function withoutUndefined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Defined<T>;
}
