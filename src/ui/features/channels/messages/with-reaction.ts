import type { ChannelMessage } from "../../../../channels/schema.ts";

export interface OwnReaction {
  name: string;
  /** Whose it is. */
  person: { id: string; name: string };
  isAdded: boolean;
}

/** A message after the person has added a reaction or taken it away. Twice the same changes nothing. Pure. */
export function withReaction(message: ChannelMessage, { name, person, isAdded }: OwnReaction): ChannelMessage {
  const before = message.reactions.find((each) => each.name === name);
  if ((before?.mine ?? false) === isAdded) return message;
  const own = { id: person.id, name: person.name };
  if (!before) return { ...message, reactions: [...message.reactions, { name, count: 1, users: [own], mine: true }] };
  const others = before.users.filter(({ id }) => id !== person.id);
  const after = {
    ...before,
    count: before.count + (isAdded ? 1 : -1),
    users: isAdded ? [...others, own] : others,
    mine: isAdded,
  };
  return {
    ...message,
    reactions: message.reactions.flatMap((each) => (each.name === name ? (after.count > 0 ? [after] : []) : [each])),
  };
}
