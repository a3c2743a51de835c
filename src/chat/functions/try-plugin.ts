import { requirePermission } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { isRecord } from "../../lib/json.ts";
import { sha256Hex } from "../../lib/sha256.ts";
import { findModel, type ResolvedModel } from "../../models/catalog/find-model.ts";
import { loadAgain } from "../../plugins/change-plugin.ts";
import { type Family, findWritable, type Found } from "../../plugins/find-plugin.ts";
import { openValves, packageScope, requirePlugins, wallOf } from "../../plugins/open-plugin.ts";
import { selectPackages, toPluginPackages } from "../../plugins/packages/find-packages.ts";
import type { PluginCapabilities, PluginInfo, PluginPackage } from "../../plugins/plugin-host.ts";
import { isPlugin, type PluginEntry } from "../../plugins/plugin-index.ts";
import { requireRunner } from "../../plugins/runners/check-runner.ts";
import type { Trial, TrialResult } from "../../plugins/schema.ts";
import { plugins } from "../../plugins/tables.ts";
import { loadUserValves } from "../../plugins/user-valves.ts";
import { changeValves, usableValves } from "../../plugins/valves/check-valves.ts";
import { readQuestion } from "../events/ask-question.ts";
import { readEvent } from "../events/event.ts";
import { checkEvent } from "../events/read-event.ts";
import { createCapabilities } from "./capabilities.ts";
import { completeInside } from "./function-caller.ts";
import { bareModelView, metadataOf, reservedFor, type ReservedSource } from "./reserved.ts";

/** Maximum duration of a test run in seconds, because a person waits for it. */
const maxSeconds = 60;
/** Maximum number of events of one run that are returned. */
const maxEvents = 1000;

/**
 * Test run: calls one function of a plugin, also of an unsaved source, and returns the result with all events. It runs
 * as the caller and in a process of the caller's test runs, so that a test that loops does not stop any chat. Nothing is stored or sent to
 * people.
 * @throws AppError `forbidden`, `not_found`, `plugin_invalid`, `validation_failed`, `plugins_disabled`,
 *   `plugin_unavailable`.
 */
export async function tryPlugin(
  ctx: Context,
  family: Family,
  id: string,
  trial: Trial,
  signal: AbortSignal,
): Promise<TrialResult> {
  const found = await findWritable(ctx, family, id);
  requirePlugins(ctx);
  if (family === "tool" && trial.content !== undefined && trial.content !== found.source)
    requirePermission(ctx, "workspace.tools");
  const { entry } = found;
  requireRunner(ctx, entry);
  const { code, info, packages } = await codeOf(ctx, found, trial.content);
  const stored = usableValves(info.valvesSchema, await openValves(ctx, found.sealedValves));
  const valves = trial.valves === undefined ? stored : changeValves(info.valvesSchema, stored, trial.valves);
  const events: unknown[] = [];
  const session = ctx.plugins.open({
    plugin: `try-${family}/${id}`,
    wall: `try/${found.user.id}/${wallOf(entry)}`,
    fingerprint: await sha256Hex(
      JSON.stringify([
        code,
        valves,
        entry.hosts,
        entry.runner,
        packages.map(({ name, sha256 }) => [name, sha256]),
        entry.isTrusted ? null : found.user.id,
      ]),
    ),
    language: info.language,
    hosts: entry.hosts,
    budget: entry.budget,
    runner: entry.runner,
    load: () => Promise.resolve({ code, valves, packages }),
  });
  const started = performance.now();
  try {
    const { args, shown } = asInChat(ctx, trial);
    const result = await session.call({
      method: trial.method,
      args,
      reserved: await reservedInTrial(ctx, {
        place: toldPlace(trial.args["body"]),
        request: isRecord(trial.args["body"]) ? trial.args["body"] : {},
        id,
        userValves: info.userValvesSchema ? await ownValves(ctx, found) : undefined,
      }),
      capabilities: triedCapabilities(ctx, asTried(found, trial.content), events, trial.answers, signal),
      signal,
      timeoutMs: Math.min(ctx.settings.PLUGIN_TIMEOUT, maxSeconds) * 1000,
    });
    return {
      ok: result.ok,
      value: result.ok ? shown(result.value ?? null) : null,
      error: result.ok ? null : result.error,
      logs: result.logs,
      events,
      duration_ms: Math.round((performance.now() - started) * 10) / 10,
    };
  } finally {
    session.close();
  }
}

/** In chats an inlet finds `metadata` in the body, which goes no further: it is not shown where the caller sent none. */
function asInChat(ctx: Context, { method, args }: Trial): { args: Trial["args"]; shown: (value: unknown) => unknown } {
  const body = args["body"];
  if (method !== "inlet" || !isRecord(body) || body["metadata"] !== undefined) return { args, shown: (value) => value };
  const shown = (value: unknown) => {
    if (!isRecord(value)) return value;
    const { metadata: _, ...rest } = value;
    return rest;
  };
  return { args: { ...args, body: { ...body, metadata: metadataOf(ctx, toldPlace(body), body) } }, shown };
}

/** Chat, message and session that a body names are told as in a chat. They are only told: nothing reaches them from here. */
function toldPlace(body: unknown): ReservedSource["place"] {
  const text = (name: string) =>
    isRecord(body) && typeof body[name] === "string" ? body[name].slice(0, 256) : undefined;
  return { chatId: text("chat_id"), messageId: text("id"), sessionId: text("session_id") };
}

/** With the model that the body names where the caller may use it, and otherwise one that only has the usual fields. */
async function reservedInTrial(ctx: Context, source: Omit<ReservedSource, "model">): Promise<Record<string, unknown>> {
  const wanted = source.request["model"];
  const model = typeof wanted === "string" ? await findUsable(ctx, wanted) : undefined;
  const reserved = reservedFor(ctx, { ...source, model });
  if (model) return reserved;
  const shown = bareModelView(typeof wanted === "string" ? wanted.slice(0, 256) : "test-model", "Test model");
  const metadata = isRecord(reserved["__metadata__"]) ? reserved["__metadata__"] : {};
  return { ...reserved, __model__: shown, __metadata__: { ...metadata, model: shown } };
}

async function findUsable(ctx: Context, id: string): Promise<ResolvedModel | undefined> {
  try {
    return await findModel(ctx, id);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

interface TriedCode {
  code: string;
  info: PluginInfo;
  packages: PluginPackage[];
}

async function codeOf(ctx: Context, { entry }: Found, content: string | undefined): Promise<TriedCode> {
  const load = (scope: Parameters<typeof selectPackages>[1]) => selectPackages(ctx.db, scope);
  if (content !== undefined) {
    const { code, info } = await loadAgain(ctx, entry, content);
    const rows = await load(packageScope({ ...entry, language: info.language }));
    return { code, info, packages: await toPluginPackages(ctx, rows) };
  }
  const [[row], rows] = await ctx.db.batch([
    ctx.db.select({ code: plugins.code }).from(plugins).where(isPlugin(entry.family, entry.id)),
    load(packageScope(entry)),
  ]);
  return { code: row?.code ?? "", info: entry.info, packages: await toPluginPackages(ctx, rows) };
}

async function ownValves(ctx: Context, { entry }: Found): Promise<Record<string, unknown>> {
  return (await loadUserValves(ctx, entry.family, [entry.id])).get(entry.id) ?? {};
}

/**
 * What a test run may request: it reads as the caller and changes nothing. Models answer, and count as the caller's use. Databases are
 * those of the plugin, as a copy.
 */
const reading: ReadonlySet<string> = new Set([
  "completion.create",
  "user.get",
  "user.list",
  "chat.get",
  "chat.list",
  "model.list",
  "tool.list",
  "function.list",
  "folder.list",
  "file.get",
  "file.list",
  "file.read",
  "memory.list",
  "plugin.valves",
  "plugin.user_valves",
  "database.list",
  "database.load",
]);
/** What a test run is told was done, and was not: the isolate's own copy has it. */
const pretended: Readonly<Record<string, unknown>> = {
  "database.save": { version: null },
  "database.delete": true,
};

/** What an administrator vouches for is the source that is stored: another one that somebody else tries has only the rights of its author. */
function asTried({ entry, source, user }: Found, content: string | undefined): PluginEntry {
  const isStored = content === undefined || content === source;
  return isStored || user.role === "admin" ? entry : { ...entry, isTrusted: false };
}

/** Events are collected, questions are answered from the request, and nothing is sent to people. */
function triedCapabilities(
  ctx: Context,
  plugin: PluginEntry,
  events: unknown[],
  answers: readonly unknown[],
  signal: AbortSignal,
): PluginCapabilities {
  const waiting = [...answers];
  const asked = { count: 0 };
  const refuse = (name: string): never => {
    throw new AppError("forbidden", `${name} is not available in a test run`);
  };
  const real = createCapabilities(ctx, {
    place: {},
    plugin,
    signal,
    // A function that answers there tells and asks nobody.
    complete: (now, body, until) =>
      completeInside(now, { place: { task: "test_run" }, signal: until, waiting: asked }, body),
  });
  const keep = (event: unknown) => {
    if (events.length >= maxEvents) throw new AppError("invalid_event", `A test run shows at most ${maxEvents} events`);
    const checked = checkEvent(event);
    events.push(checked);
    return checked;
  };
  return {
    async emit(event) {
      // What is wrong with it the plugin is told, as it would be in a chat.
      if (keep(event).type === "execute") readQuestion(event);
      else readEvent(event);
    },
    async call(event) {
      keep(event);
      readQuestion(event);
      if (waiting.length === 0)
        throw new AppError("no_client", "The plugin asked a question, but this test run has no answer for it: add one");
      return waiting.shift();
    },
    async request(name, args) {
      if (Object.hasOwn(pretended, name)) return pretended[name];
      return reading.has(name) ? real.request(name, args) : refuse(name);
    },
  };
}
