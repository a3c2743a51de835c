import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { isRecord } from "../../lib/json.ts";
import type { ResolvedModel } from "../../models/catalog/find-model.ts";
import type { TurnPlace } from "./turn-place.ts";

/** The values for the reserved parameters of a call. */
export interface ReservedSource {
  /** Undefined where no model takes part. */
  model: ResolvedModel | undefined;
  place: TurnPlace;
  /** The request as it came. */
  request: Record<string, unknown>;
  /** `__id__`. */
  id: string;
  userValves: Record<string, unknown> | undefined;
  /** Attached tools in the form for pipes, by name. */
  tools?: Record<string, unknown> | undefined;
  /** The model's knowledge, once it is known which of it the caller may read. */
  knowledge?: readonly Record<string, unknown>[] | undefined;
}

/**
 * Values of the parameters that a function receives if its signature names them, as in Open WebUI. `__body__` and
 * `__messages__` are added where the body is known.
 */
export function reservedFor(ctx: Context, source: ReservedSource): Record<string, unknown> {
  const { model, place, request, id, userValves, tools } = source;
  const knowledge =
    source.knowledge ?? model?.knowledge.map(({ kind, targetId }) => ({ type: kind, id: targetId })) ?? [];
  const shown = model && modelView(model, knowledge);
  return {
    __id__: id,
    __user__: userView(ctx, userValves),
    __metadata__: { ...metadataOf(ctx, place, request), ...(shown ? { model: shown } : {}) },
    __model__: shown ?? null,
    __files__: listOf(request["files"]),
    __chat_id__: place.chatId ?? null,
    __session_id__: place.sessionId ?? null,
    __message_id__: place.messageId ?? null,
    __task__: place.task ?? null,
    __task_body__: null,
    __features__: isRecord(request["features"]) ? request["features"] : {},
    // Of the request itself only its address: what it was let in with is nobody's business.
    __request__: { method: "POST", url: `${ctx.origin}/api/chat/completions`, base_url: `${ctx.origin}/`, headers: {} },
    __oauth_token__: null,
    __skill_ids__: listOf(request["skill_ids"]),
    __model_knowledge__: knowledge,
    __tools__: tools ?? {},
  };
}

function userView(ctx: Context, valves: Record<string, unknown> | undefined): Record<string, unknown> {
  const { id, name, email, role } = requireUser(ctx);
  return { id, name, email, role, ...(valves ? { valves } : {}) };
}

/** `metadata` in the form that Open WebUI's functions expect in a body. */
export function metadataOf(ctx: Context, place: TurnPlace, request: Record<string, unknown>): Record<string, unknown> {
  return {
    user_id: requireUser(ctx).id,
    chat_id: place.chatId ?? null,
    message_id: place.messageId ?? null,
    session_id: place.sessionId ?? null,
    folder_id: request["folder_id"] ?? null,
    parent_message_id: request["parent_id"] ?? null,
    filter_ids: listOf(request["filter_ids"]),
    tool_ids: listOf(request["tool_ids"]),
    files: listOf(request["files"]),
    features: isRecord(request["features"]) ? request["features"] : {},
    variables: isRecord(request["variables"]) ? request["variables"] : {},
    task: place.task ?? null,
    direct: false,
    params: { function_calling: "native" },
  };
}

/** A model of which nothing is told but its id and name. */
export function bareModelView(id: string, name: string): Record<string, unknown> {
  const info = { id, name, base_model_id: null, meta: {}, params: {}, is_active: true };
  return { id, name, object: "model", owned_by: "openai", info };
}

function modelView(model: ResolvedModel, knowledge: readonly Record<string, unknown>[]): Record<string, unknown> {
  const { id, name, stored, kind } = model;
  return {
    id,
    name,
    object: "model",
    owned_by: "openai",
    ...(kind === "function" ? { pipe: { type: "pipe" } } : {}),
    info: {
      id,
      name,
      base_model_id: stored?.baseModelId ?? null,
      meta: { ...stored?.meta, ...(knowledge.length > 0 ? { knowledge } : {}) },
      params: stored?.params ?? {},
      is_active: true,
    },
  };
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
