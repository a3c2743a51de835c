import type { ChannelMessage } from "../../../channels/schema.ts";

/**
 * Which reactions are the reader's own. Views made for the reader say it; events are the same for everybody and say only who has
 * just added or removed one. Facts may come in any order: the newest counts.
 */
export interface OwnReactions {
  /** What the newest view for the reader said, and how new it is (`updated_at`). */
  seen: { at: number; names: ReadonlySet<string> } | undefined;
  /** The reader's newest act, by name. */
  acts: ReadonlyMap<string, { at: number; added: boolean }>;
}

export const noOwnReactions: OwnReactions = { seen: undefined, acts: new Map() };

export function noteView(own: OwnReactions, message: ChannelMessage): OwnReactions {
  if (own.seen && own.seen.at >= message.updated_at) return own;
  const names = new Set(message.reactions.filter((reaction) => reaction.mine).map((reaction) => reaction.name));
  return { ...own, seen: { at: message.updated_at, names } };
}

export function noteAct(own: OwnReactions, at: number, name: string, added: boolean): OwnReactions {
  const known = own.acts.get(name);
  return known && known.at >= at ? own : { ...own, acts: new Map(own.acts).set(name, { at, added }) };
}

/** The message with what is the reader's own marked. */
export function markOwn(message: ChannelMessage, own: OwnReactions, reader: string): ChannelMessage {
  if (message.reactions.length === 0) return message;
  const isMine = ({ name, users, count }: ChannelMessage["reactions"][number]) => {
    // All who reacted are named: nothing else has to be known.
    if (users.length >= count) return users.some((user) => user.id === reader);
    const act = own.acts.get(name);
    return act && act.at > (own.seen?.at ?? -1) ? act.added : (own.seen?.names.has(name) ?? false);
  };
  return { ...message, reactions: message.reactions.map((reaction) => ({ ...reaction, mine: isMine(reaction) })) };
}
