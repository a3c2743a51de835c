import { asMember, heldCredential, requireAdmin, requireUser } from "../../access.ts";
import { type Context, contextWith } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { isRecord } from "../../lib/json.ts";
import { listModels } from "../../models/catalog/list-models.ts";
import { resolveActorById } from "../../people/auth/resolve-actor.ts";
import { getUser } from "../../people/users/get-user.ts";
import type { PluginCapabilities } from "../../plugins/plugin-host.ts";
import { isForeign, type PluginEntry } from "../../plugins/plugin-index.ts";
import type { EventSource } from "../../shared/live-protocol.ts";
import { UpstreamError } from "../../upstream/errors/upstream-error.ts";
import { getChat } from "../conversations/chats.ts";
import { listChats } from "../conversations/list-chats.ts";
import { askQuestion } from "../events/ask-question.ts";
import { emitEvent, type EmitPlace } from "../events/emit-event.ts";
import { databaseRequests } from "./database-requests.ts";
import { fileRequests } from "./file-requests.ts";
import { mediaRequests } from "./media-requests.ts";
import { memoryRequests } from "./memory-requests.ts";
import { pageOf, textOf, wrong } from "./request-arguments.ts";
import { valvesRequests } from "./valves-requests.ts";
import { workspaceRequests } from "./workspace-requests.ts";

/** The context of a plugin's requests. */
export interface CapabilityScope {
  /** The message that the plugin works on; its events go there. */
  place: EmitPlace;
  /** Who requests; undefined for the service itself. */
  plugin: PluginEntry | undefined;
  /** Cancels its requests. */
  signal: AbortSignal;
  /**
   * A complete answer of a model that the caller may use.
   * @throws AppError, also if nested too deep; UpstreamError
   */
  complete(ctx: Context, body: Record<string, unknown>, signal: AbortSignal): Promise<Record<string, unknown>>;
  /**
   * Calls an attached tool by its name for the model.
   * @throws AppError with what went wrong
   */
  callTool?: ((ctx: Context, name: string, args: Record<string, unknown>) => Promise<unknown>) | undefined;
}

/**
 * What a plugin can do besides its own code, always on behalf of the person for whom it runs: each request is checked
 * against that person's current permissions. Plugins never get more permissions than the person has. Tools that
 * somebody else wrote who is not an administrator get those of a member, and only the chat that they work in.
 */
export function createCapabilities(ctx: Context, scope: CapabilityScope): PluginCapabilities {
  const { plugin } = scope;
  const foreign = plugin !== undefined && isForeign(requireUser(ctx), plugin);
  const place = plugin ? { ...scope.place, by: sourceOf(plugin, foreign) } : scope.place;
  const allowed = foreign ? requestsOfForeign : requests;
  return {
    emit: (event) => sayable(ctx, emitEvent(ctx, place, event)),
    call: (event) => sayable(ctx, askQuestion(ctx, place, event, scope.signal)),
    async request(name, args) {
      const handler = Object.hasOwn(allowed, name) ? allowed[name] : undefined;
      if (!handler) throw new AppError("not_found", `No such request: ${JSON.stringify(name.slice(0, 100))}`);
      return sayable(
        ctx,
        contextNow(ctx, foreign).then((now) => handler(now, args, scope)),
      );
    },
  };
}

/** Plugins get messages that are meant for people; internal errors go to the log only. */
async function sayable<T>(ctx: Context, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AppError || error instanceof UpstreamError) throw error;
    ctx.log.error("a plugin's request failed", { error });
    throw new AppError("internal_error", "Internal error. The cause is in the log", { cause: error });
  }
}

function sourceOf({ family, id, name, maker }: PluginEntry, foreign: boolean): EventSource {
  return { family, id, name, maker: foreign ? (maker?.name ?? "") : null };
}

/** The caller with current permissions, which may have changed since the plugin was called. */
export async function contextNow(ctx: Context, foreign: boolean): Promise<Context> {
  const { lastUsedAt: _, ...resolved } = await resolveActorById(ctx, heldCredential(requireUser(ctx)));
  return contextWith(ctx, foreign ? { ...resolved, actor: asMember(requireUser(resolved)) } : resolved);
}

export type Handler = (ctx: Context, args: Record<string, unknown>, scope: CapabilityScope) => Promise<unknown>;

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
  /** Without their messages, the last changed first. */
  async "chat.list"(ctx, { page }) {
    return (await listChats(ctx, { which: "all", page: pageOf(page) })).chats;
  },
  "model.list": async (ctx) => (await listModels(ctx)).models,
  "completion.create"(ctx, { body }, { complete, signal }) {
    if (!isRecord(body)) throw wrong("body", "expected an object");
    return complete(ctx, body, signal);
  },
  "tool.call"(ctx, { name, args }, { callTool }) {
    const called = textOf("name", name);
    if (!callTool) throw new AppError("not_found", `No such tool: ${JSON.stringify(called.slice(0, 100))}`);
    if (args !== undefined && args !== null && !isRecord(args)) throw wrong("args", "expected an object");
    return callTool(ctx, called, args ?? {});
  },
  ...databaseRequests,
  ...fileRequests,
  ...mediaRequests,
  ...memoryRequests,
  ...valvesRequests,
  ...workspaceRequests,
};

/** Other people, other chats and other tools are none of their business. */
const requestsOfForeign: Readonly<Record<string, Handler>> = {
  ...requests,
  async "user.get"(ctx, { id }) {
    const { id: own, name, email, role } = requireUser(ctx);
    if (id !== undefined && id !== null && id !== own) throw refused("other people");
    return { id: own, name, email, role };
  },
  async "chat.get"(ctx, { id }, { place }) {
    if (id !== undefined && id !== null && id !== place.chatId) throw refused("other chats");
    return getChat(ctx, textOf("id", place.chatId));
  },
  async "tool.call"() {
    throw refused("other tools");
  },
  async "chat.list"() {
    throw refused("other chats");
  },
  // Of the person's files it gets those that the chat hands it; what it makes, it may keep.
  ...Object.fromEntries(
    ["file.get", "file.read", "file.list", "file.delete"].map((name) => [name, () => Promise.reject(refused("files"))]),
  ),
  ...Object.fromEntries(
    Object.keys(workspaceRequests).map((name) => [name, () => Promise.reject(refused("the workspace"))]),
  ),
  ...Object.fromEntries(
    Object.keys(mediaRequests).map((name) => [
      name,
      () => Promise.reject(refused("pictures, web search and documents")),
    ]),
  ),
  ...Object.fromEntries(Object.keys(memoryRequests).map((name) => [name, () => Promise.reject(refused("memories"))])),
};

function refused(what: string): AppError {
  return new AppError("forbidden", `This tool is not by an administrator, so it has no access to ${what}`);
}
