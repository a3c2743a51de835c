import * as z from "zod";

/** A message as chat-completions clients send it; parts, tool calls and names pass through. */
export const chatMessage = z.looseObject({
  role: z.string().min(1).max(40),
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string() })), z.null()]).optional(),
});

/** Message ids are created by clients: any short text without control characters. */
const messageId = z.string().regex(/^[\x21-\x7e]{1,100}$/, "must be 1 to 100 visible characters");

/** How many models may answer one question. */
export const maxAnswers = 6;

const wantedAnswer = z.looseObject({ model_id: z.string().min(1).max(256), message_id: messageId });

/**
 * A chat-completions request. Only fields that Parley uses are checked; all other parameters are passed on unchanged.
 */
export const completionRequest = z.looseObject({
  model: z.string().min(1).max(256),
  messages: z.array(chatMessage).max(20_000).optional(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  /**
   * A chat of the caller (a UUID): question and answer are stored there. `temporary:` and `local:` ids are not stored.
   */
  chat_id: z.string().min(1).max(200).nullish(),
  /** The folder of a chat that its first background turn creates. */
  folder_id: z.string().max(100).nullish(),
  /** The assistant message for the answer. */
  id: messageId.nullish(),
  /** With `id`: the answer runs in the background and is reported over the live socket. */
  session_id: z.string().min(1).max(200).nullish(),
  /**
   * Several models answer the same question in the background, each in its own message: used instead of `id`. A list,
   * or an object of message ids by model id. The first one is shown.
   */
  message_ids: z.union([z.array(wantedAnswer).min(1).max(maxAnswers), z.record(z.string(), messageId)]).nullish(),
  parent_id: messageId.nullish(),
  user_message: z
    .looseObject({ id: messageId, parentId: messageId.nullish(), content: z.string().nullish() })
    .nullish(),
  /**
   * Parameters that override the model's own: `system`, `temperature` and so on. A chat created by its first background
   * turn keeps them.
   */
  params: z.record(z.string(), z.unknown()).nullish(),
  /**
   * What to search for the answer: `{type: "file" | "collection", id}` or `{type: "text", content}`; `context: "full"`
   * for the whole text.
   */
  files: z.array(z.looseObject({})).max(1000).nullish(),
  background_tasks: z
    .looseObject({ title_generation: z.boolean().nullish(), tags_generation: z.boolean().nullish() })
    .nullish(),
  /** With the `id` of an existing answer: continues its text. */
  continue: z.boolean().nullish(),
});
export type CompletionRequest = z.infer<typeof completionRequest>;

/** `POST /api/chat/completed`: the payload after outlet filters. */
export const completedRequest = z.looseObject({
  model: z.string().min(1).max(256),
  messages: z.array(chatMessage).max(20_000),
  chat_id: z.string().max(200).nullish(),
});

/** The answer to a turn that runs in the background. */
export const startedTurn = z.object({ status: z.literal(true), task_ids: z.array(z.string()), chat_id: z.string() });

/** Fields that Parley (or Open WebUI's clients) use and that are not sent to the model. */
export const serviceFields: readonly string[] = [
  "chat_id",
  "id",
  "session_id",
  "parent_id",
  "parent_message",
  "user_message",
  "message_ids",
  "assistant_message_id",
  "params",
  "background_tasks",
  "continue",
  "files",
  "features",
  "filter_ids",
  "skill_ids",
  "terminal_id",
  "tool_ids",
  "tool_servers",
  "variables",
  "chat_variables",
  "folder_id",
  "model_item",
];
