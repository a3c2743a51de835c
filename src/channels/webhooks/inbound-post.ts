import { AppError } from "../../errors.ts";
import { cleanText } from "../../lib/clean-text.ts";
import { cutText } from "../../lib/cut-text.ts";
import { disarmMentions } from "../../shared/mentions.ts";
import { cardMarkdown } from "../cards/card-markdown.ts";
import { cutMark, fitCard, webAddress } from "../cards/fit-card.ts";
import type { MessageCard } from "../cards/schema.ts";
import type { ShownAs } from "../schema.ts";
import { maxPostBytes } from "./schema.ts";
import type { PostFace, PostThread, SenderPost } from "./senders/sender-post.ts";

/** A post as it is stored. */
export interface InboundPost {
  /** Whose form it had. */
  format: string;
  content: string;
  card?: MessageCard | undefined;
  shownAs?: ShownAs | undefined;
  thread?: PostThread | undefined;
  /** The sender's name for it: sent again, it is the same post. */
  key: string | undefined;
}

/**
 * What a sender says, bounded and harmless: too long texts are cut with a mark, and nobody is called.
 * @throws AppError `validation_failed` for what says nothing
 */
export function fitPost(format: string, post: SenderPost, key: string | undefined): InboundPost {
  const card = fitCard(post.card);
  const isCard = card.parts.length > 0;
  const content = fitContent(isCard ? cardMarkdown(card) : (post.card.lead ?? ""));
  if (content === "")
    throw new AppError("validation_failed", `This was read in the form of ${format}, and nothing in it can be shown`);
  const shownAs = fitFace(post.face);
  return { format, content, card: isCard ? card : undefined, shownAs, thread: post.thread, key };
}

function fitContent(text: string): string {
  const clean = disarmMentions(cleanText(text)).trim();
  const encoder = new TextEncoder();
  if (encoder.encode(clean).length <= maxPostBytes) return clean;
  const room = maxPostBytes - encoder.encode(cutMark).length;
  const { read } = encoder.encodeInto(clean, new Uint8Array(room));
  return cutText(clean, read).trimEnd() + cutMark;
}

const maxName = 80;
const maxEmoji = 16;

/** A name and picture of a post as they are stored; undefined where nothing of them can be shown. */
export function fitFace(face: PostFace | undefined): ShownAs | undefined {
  // Marks of direction would turn the words beside the name.
  const name = disarmMentions(cleanText(face?.name ?? ""))
    .replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, " ")
    .trim();
  const picture = webAddress(face?.picture);
  const emoji = face?.emoji !== undefined && face.emoji.length <= maxEmoji ? cleanText(face.emoji) : undefined;
  const shownAs = {
    ...(name === "" ? {} : { name: cutText(name, maxName) }),
    ...(picture === undefined ? {} : { picture_url: picture }),
    ...(emoji ? { emoji } : {}),
  };
  return Object.keys(shownAs).length === 0 ? undefined : shownAs;
}
