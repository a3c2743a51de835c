import * as z from "zod";

/** Wire shapes of cards: what monitors and bots say, as data beside a message's text. Texts are Markdown where it says so, else plain. */

/** What a state means; each has a colour of the page. */
export const cardKinds = ["good", "warn", "bad", "info", "neutral"] as const;
export type CardKind = (typeof cardKinds)[number];

/** `Firing`, `Merged`: always with its word, because a colour alone says nothing to some people. */
export const cardState = z.object({ kind: z.enum(cardKinds), word: z.string() });
export type CardState = z.infer<typeof cardState>;

/** An http(s) address. */
const address = z.string();

export const cardLink = z.object({ label: z.string(), url: address });
export type CardLink = z.infer<typeof cardLink>;

export const cardField = z.object({
  /** "" for none. */
  name: z.string(),
  /** Markdown. */
  value: z.string(),
  /** Two of these stand side by side. */
  is_short: z.boolean(),
});
export type CardField = z.infer<typeof cardField>;

/** Things of one state: what is firing, what is resolved. */
export const cardList = z.object({
  state: cardState,
  items: z.array(
    z.object({
      /** Markdown. */
      text: z.string(),
      url: address.optional(),
      /** Since when; epoch milliseconds. */
      at: z.number().int().optional(),
    }),
  ),
  /** How many there are besides. */
  more: z.number().int(),
});
export type CardList = z.infer<typeof cardList>;

export const cardPart = z.object({
  author: z.object({ name: z.string(), url: address.optional() }).optional(),
  title: z.string().optional(),
  /** Where the title leads. */
  url: address.optional(),
  state: cardState.optional(),
  /** The sender's own colour: `#rrggbb`. */
  color: z.string().optional(),
  /** Markdown. */
  text: z.string().optional(),
  fields: z.array(cardField),
  lists: z.array(cardList),
  /** Address of a picture on another site. */
  picture: address.optional(),
  links: z.array(cardLink),
  footer: z.string().optional(),
  /** Of what it is about; epoch milliseconds. */
  at: z.number().int().optional(),
});
export type CardPart = z.infer<typeof cardPart>;

export const messageCard = z.object({
  /** Markdown that stands before the card. */
  lead: z.string().optional(),
  parts: z.array(cardPart),
});
export type MessageCard = z.infer<typeof messageCard>;
