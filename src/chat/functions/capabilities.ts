import { heldCredential, requireAdmin, requireUser } from "../../access.ts";
import { type Context, contextWith } from "../../context.ts";
import { createFile } from "../../documents/files/files.ts";
import { AppError } from "../../errors.ts";
import { isRecord } from "../../lib/json.ts";
import { listModels } from "../../models/catalog/list-models.ts";
import { resolveActorById } from "../../people/auth/resolve-actor.ts";
import { getUser } from "../../people/users/get-user.ts";
import type { PluginCapabilities } from "../../plugins/plugin-host.ts";
import { UpstreamError } from "../../upstream/errors/upstream-error.ts";
import { getChat } from "../conversations/chats.ts";
import { askPerson } from "../events/ask-person.ts";
import { emitEvent, type EmitPlace } from "../events/emit-event.ts";
import { isStored } from "../events/message-items.ts";

/** What a plugin's requests are about. */
export interface CapabilityScope {
  /** The message that the plugin speaks about; its events go there. */
  place: EmitPlace;
  /** Ends what it asks for. */
  signal: AbortSignal;
  /**
   * A whole completion of a model that the caller may use.
   * @throws AppError, also for one that would be asked for too deep inside others; UpstreamError
   */
  complete(ctx: Context, body: Record<string, unknown>, signal: AbortSignal): Promise<Record<string, unknown>>;
  /** Calls one of the attached tools by the name that the model is told. @throws AppError with what went wrong */
  callTool?: ((ctx: Context, name: string, args: Record<string, unknown>) => Promise<unknown>) | undefined;
}

/**
 * What a plugin may do beside its own code, always as the person for whom it runs: a request is decided by what this person
 * may do at that moment. None of it gives a right that the person has not got.
 */
export function createCapabilities(ctx: Context, scope: CapabilityScope): PluginCapabilities {
  return {
    emit: (event) => sayable(ctx, emitEvent(ctx, scope.place, event)),
    call: (event) => sayable(ctx, askPerson(ctx, scope.place, event, scope.signal)),
    async request(name, args) {
      const handler = Object.hasOwn(requests, name) ? requests[name] : undefined;
      if (!handler) throw new AppError("not_found", `There is no request ${JSON.stringify(name.slice(0, 100))}`);
      return sayable(
        ctx,
        contextNow(ctx).then((now) => handler(now, args, scope)),
      );
    },
  };
}

/** Plugins are told what went wrong in words that were meant to be read; what else happened here is for the log alone. */
async function sayable<T>(ctx: Context, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AppError || error instanceof UpstreamError) throw error;
    ctx.log.error("what a plugin asked for could not be done", { error });
    throw new AppError("internal_error", "This could not be done; the log knows why", { cause: error });
  }
}

/** The caller as they are now: rights may have gone since the plugin was called. */
async function contextNow(ctx: Context): Promise<Context> {
  const { lastUsedAt: _, ...resolved } = await resolveActorById(ctx, heldCredential(requireUser(ctx)));
  return contextWith(ctx, resolved);
}

type Handler = (ctx: Context, args: Record<string, unknown>, scope: CapabilityScope) => Promise<unknown>;

const requests: Readonly<Record<string, Handler>> = {
  async "user.get"(ctx, { id }) {
    const user = requireUser(ctx);
    if (id === undefined || id === null || id === user.id) {
      const { id: own, name, email, role } = user;
      return { id: own, name, email, role };
    }
    requireAdmin(ctx);
    const { id: other, name, email, role } = await getUser(ctx, textOf("id", id));
    return { id: other, name, email, role };
  },
  "chat.get": (ctx, { id }, { place }) => getChat(ctx, textOf("id", id ?? place.chatId)),
  "model.list": async (ctx) => (await listModels(ctx)).models,
  "completion.create"(ctx, { body }, { complete, signal }) {
    if (!isRecord(body)) throw wrong("body", "an object is needed");
    return complete(ctx, body, signal);
  },
  "tool.call"(ctx, { name, args }, { callTool }) {
    const called = textOf("name", name);
    if (!callTool) throw new AppError("not_found", `There is no tool ${JSON.stringify(called.slice(0, 100))}`);
    if (args !== undefined && args !== null && !isRecord(args)) throw wrong("args", "an object is needed");
    return callTool(ctx, called, args ?? {});
  },
  "file.create"(ctx, { name, content_type: type, base64 }, { place: { chatId } }) {
    const bytes = readBase64(textOf("base64", base64));
    return createFile(ctx, {
      name: textOf("name", name),
      contentType: textOf("content_type", type),
      bytes,
      chatId: isStored(chatId) ? chatId : undefined,
    });
  },
};

function readBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    const binary = atob(text);
    const bytes = new Uint8Array(binary.length);
    // Nobody else is served meanwhile, and `Uint8Array.from` would take ten times as long.
    for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
    return bytes;
  } catch (error) {
    throw wrong("base64", "this is no base64 text", error);
  }
}

function textOf(name: string, value: unknown): string {
  if (typeof value !== "string" || value === "") throw wrong(name, "text is needed");
  return value;
}

function wrong(param: string, message: string, cause?: unknown): AppError {
  return new AppError("validation_failed", `${param}: ${message}`, { param, cause });
}
