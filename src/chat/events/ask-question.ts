import * as z from "zod";
import { hasPermission, requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { sha256Hex } from "../../lib/sha256.ts";
import { auditRow } from "../../people/audit/audit-row.ts";
import type { EventSource, LiveEvent } from "../../shared/live-protocol.ts";
import { where } from "./message-items.ts";
import { checkEvent, readData } from "./read-event.ts";

/** How much of the code is stored in the audit log, in UTF-16 units. */
const maxAuditedLength = 500;

const words = z.string().max(20_000);
const questions: Readonly<Record<string, z.ZodType<Record<string, unknown>>>> = {
  confirmation: z.looseObject({ title: words.nullish(), message: words.nullish() }),
  input: z.looseObject({
    title: words.nullish(),
    message: words.nullish(),
    placeholder: words.nullish(),
    value: z.unknown().optional(),
    type: z.string().max(40).nullish(),
  }),
  execute: z.looseObject({ code: z.string().min(1).max(200_000) }),
};

/** What a question belongs to; undefined parts do not exist. */
export interface QuestionPlace {
  chatId?: string | undefined;
  messageId?: string | undefined;
  runId?: string | undefined;
  /** The plugin that asks. */
  by?: EventSource | undefined;
}

/**
 * Asks the caller a question (`__event_call__`) and waits for the answer: true or false for `confirmation`, the text
 * for `input` (false if there is none), the code's result in the browser for `execute`.
 * @param event `{type, data}` as received
 * @param signal closes the question
 * @throws AppError `invalid_event` with what is wrong; `execute_not_allowed`; `no_client` soon if no tab is open;
 *   `call_timeout` after WEBSOCKET_EVENT_CALLER_TIMEOUT; `call_closed`
 */
export async function askQuestion(
  ctx: Context,
  place: QuestionPlace,
  event: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  const question = readQuestion(event);
  const { type } = question.data;
  if (typeof place.by?.maker === "string" && typeof type === "string" && type.trim().toLowerCase() === "password")
    throw new AppError(
      "invalid_event",
      "type: a tool that is not by an administrator cannot ask for a password. Use UserValves for keys",
      { param: "type" },
    );
  if (question.type === "execute") await allowExecute(ctx, place, question.data["code"] as string);
  return ask(ctx, place, question, signal);
}

/**
 * Runs code in the person's browser without waiting for its result. Resolves when it has been sent.
 * @throws AppError `invalid_event`, `execute_not_allowed`
 */
export async function runInBrowser(ctx: Context, place: QuestionPlace, event: unknown): Promise<void> {
  const question = readQuestion(event);
  await allowExecute(ctx, place, question.data["code"] as string);
  const done = ask(ctx, place, question, new AbortController().signal).catch((error: unknown) =>
    ctx.log.info("code did not run in the browser", { chat_id: place.chatId, error }),
  );
  ctx.waitUntil(done);
}

function ask(ctx: Context, place: QuestionPlace, data: LiveEvent["data"], signal: AbortSignal): Promise<unknown> {
  const timeoutMs = ctx.settings.WEBSOCKET_EVENT_CALLER_TIMEOUT * 1000;
  const by = place.by && { by: place.by };
  return ctx.live.ask(requireUser(ctx).id, { ...where(place), ...by, data }, { timeoutMs, signal });
}

export function readQuestion(event: unknown): { type: string; data: Record<string, unknown> } {
  const { type, data } = checkEvent(event);
  const schema = Object.hasOwn(questions, type) ? questions[type] : undefined;
  if (!schema) throw new AppError("invalid_event", "type: expected confirmation, input or execute", { param: "type" });
  return { type, data: readData(schema, data) };
}

/** Running plugin code in the browser can be switched off for each organization, and is recorded in the audit log. */
async function allowExecute(ctx: Context, { chatId, messageId, by }: QuestionPlace, code: string): Promise<void> {
  if (!hasPermission(requireUser(ctx), "features.execute_events"))
    throw new AppError(
      "execute_not_allowed",
      "Plugins may run code in the browser only with the permission features.execute_events",
    );
  await auditRow(ctx, {
    action: "code.sent_to_browser",
    targetType: "chat",
    targetId: chatId ?? "",
    organizationId: requireUser(ctx).organizationId,
    detail: {
      ...(messageId === undefined ? {} : { message_id: messageId }),
      ...(by ? { plugin: `${by.family}/${by.id}` } : {}),
      sha256: await sha256Hex(code),
      code: code.slice(0, maxAuditedLength),
      length: code.length,
    },
  });
}
