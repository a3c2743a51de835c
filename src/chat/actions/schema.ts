import * as z from "zod";

/** What an action is called with, in the form that its plugin receives: the message with its button, and the chat. */
export const actionBody = z.looseObject({
  model: z.string().min(1).max(256),
  messages: z.array(z.looseObject({})).max(100_000).optional(),
  chat_id: z.string().max(200).nullish(),
  /** The message. */
  id: z.string().max(200).nullish(),
  session_id: z.string().max(200).nullish(),
});
export type ActionBody = z.infer<typeof actionBody>;
