import type { MessageCard } from "../../cards/schema.ts";

export type JsonRecord = Readonly<Record<string, unknown>>;

/** What belongs together in one thread: an alert until it is resolved, a pull request. */
export interface PostThread {
  /** Unique among the threads of the webhook. */
  key: string;
  /** Whether it goes on after this post; undefined where the post says nothing about it. */
  isOpen?: boolean | undefined;
  /** Whether a post that opens a closed thread begins a new one: an alert that fires again is a new one. */
  restarts: boolean;
  /** What of the first post each further one with a state replaces: all of it, or only state and title. */
  head: "all" | "line";
}

/** A name and a picture for one post. */
export interface PostFace {
  name?: string | undefined;
  /** Address on another site. */
  picture?: string | undefined;
  /** A sign that stands for a picture. */
  emoji?: string | undefined;
}

/** What any sender says, in one shape. A card without parts is plain text. */
export interface SenderPost {
  card: MessageCard;
  face?: PostFace | undefined;
  thread?: PostThread | undefined;
}

/** A form in which programs post. Neither function ever throws, whatever JSON they get. */
export interface Sender {
  /** As people and the list of requests are told. */
  name: string;
  recognize(body: JsonRecord): boolean;
  read(body: JsonRecord): SenderPost;
}
