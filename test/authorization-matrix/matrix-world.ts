import { createClient } from "@libsql/client";
import { eq, inArray, ne } from "drizzle-orm";
import { newResponseId } from "../../src/chat/responses-api/item-ids.ts";
import { storedResponses } from "../../src/chat/responses-api/tables.ts";
import { settings } from "../../src/db/tables.ts";
import { files, uploads } from "../../src/documents/files/tables.ts";
import { newId } from "../../src/lib/id.ts";
import { connections } from "../../src/models/connections/tables.ts";
import { storedModels } from "../../src/models/stored-models/tables.ts";
import { hashApiKey } from "../../src/people/auth/api-keys/hash-api-key.ts";
import { apiKeys } from "../../src/people/auth/api-keys/tables.ts";
import { passkeys } from "../../src/people/auth/passkeys/tables.ts";
import { hashPassword } from "../../src/people/auth/passwords/hash-password.ts";
import { sessions } from "../../src/people/auth/sessions/tables.ts";
import { groupMembers, groups } from "../../src/people/groups/tables.ts";
import { organizations } from "../../src/people/organizations/tables.ts";
import { passwords, users } from "../../src/people/users/tables.ts";
import { plugins } from "../../src/plugins/tables.ts";
import { messageItems, messages } from "../../src/stored-chats/tables.ts";
import { quotas } from "../../src/usage/quotas/tables.ts";
import { install } from "../chat/functions/install.ts";
import { providers } from "../fixtures/upstreams/providers.ts";
import { startReplayServer } from "../fixtures/upstreams/replay-server.ts";
import { startReceiver } from "../webhooks/start-receiver.ts";
import { createWorld, defaultOrganizationId, type Person, type World } from "../world.ts";
import { neverDeleted, type Caller, type Kind, type Variant } from "./cells.ts";
import {
  addAnswer,
  addChannel,
  addMember,
  addMessage,
  addPublicChannel,
  addWebhook,
  forgetChannelThing,
} from "./channel-things.ts";
import { addFile, addUpload, passageOf } from "./file-things.ts";
import { addInvitation, forgetInvitation } from "./invitation-things.ts";
import { addBase, addDirectory, forgetBase, forgetDirectory, holdFile } from "./knowledge-things.ts";
import { malformed } from "./malformed-ids.ts";
import { matrixSettings } from "./matrix-settings.ts";
import { forgetPluginThing, pluginThings } from "./plugin-things.ts";
import { forgetPromptThing, promptThings } from "./prompt-things.ts";
import { serviceAccountThings } from "./service-account-things.ts";
import { addDelivery, addEndpoint, forgetWebhookThing } from "./webhook-things.ts";

export const scimToken = "the-token-that-the-identity-provider-has";
export const password = "correct horse battery staple";

/** Somebody with all that a request can show. */
export interface Somebody extends Person {
  organizationId: string;
  key: string;
}

export interface MatrixWorld extends World {
  /** The same one every time, or somebody new of the same kind. */
  caller(name: Caller, fresh: boolean): Promise<Somebody>;
  /** The id of a thing of this kind, as it stands to the caller; the same one every time unless fresh. */
  thing(kind: Kind, caller: Somebody, variant: Variant, fresh: boolean, chatId?: string): Promise<string>;
  /** Puts the settings back that the matrix needs. @param restricted whether keys are good for one other endpoint only */
  setUp(restricted: boolean): Promise<void>;
  /** A number that changes whenever something is written. */
  version(): Promise<number>;
  /** All that is stored but the audit log, which holds the identity provider's refused requests too. */
  dump(): Promise<string>;
  /** Forgets the people and things that were handed out: somebody may have changed them. */
  renew(): Promise<void>;
}

const button = { id: "pressed", source: "export class Action { action() { return null } }" };

/** One service with three organizations and somebody of every kind in them. */
export async function createMatrixWorld(): Promise<MatrixWorld> {
  const receiver = await startReceiver();
  const upstream = await startReplayServer();
  upstream.models = Object.keys(providers);
  // Time stands still, so that nobody's last use is worth a note.
  const clock = Math.floor(Date.now() / 1000);
  const world = await createWorld({
    services: { now: () => clock },
    environment: {
      OPENAI_API_BASE_URLS: upstream.url,
      OUTBOUND_ALLOWED_PRIVATE_HOSTS: new URL(receiver.url).host,
      SCIM_ENABLED: "true",
      SCIM_TOKEN: scimToken,
      SCIM_AUTH_PROVIDER: "oidc",
    },
  });
  const { db, services } = world;
  const [file] = (await world.client.execute("PRAGMA database_list")).rows;
  const watcher = createClient({ url: `file:${String(file?.["file"])}` });
  const now = services.now();
  const passwordHash = await hashPassword(services, password, { lane: "known", share: "matrix" });
  const known = new Map<string, Promise<string>>();
  const people = new Map<Caller, Promise<Somebody>>();
  // Nobody of the matrix is the first administrator, who is protected from all others.
  await world.person({ role: "admin", name: "First" });
  const [harbour, lighthouse] = [await addOrganization("Harbour"), await addOrganization("Lighthouse")];

  async function addOrganization(name: string): Promise<string> {
    const id = newId();
    await db.insert(organizations).values({ id, name, modelIds: null, features: {}, createdAt: now, updatedAt: now });
    return id;
  }

  async function somebody(
    values: { role?: Person["role"]; organizationRole?: "admin" | "member"; organizationId?: string } = {},
  ): Promise<Somebody> {
    const { organizationRole = "member", organizationId = harbour, ...rest } = values;
    const person = await world.person({ ...rest, organizationId });
    const key = `sk-${newId()}`;
    await db.batch([
      db.update(users).set({ organizationRole }).where(eq(users.id, person.id)),
      db.insert(passwords).values({ userId: person.id, hash: passwordHash, updatedAt: now }),
      db.insert(apiKeys).values({
        id: newId(),
        userId: person.id,
        name: "script",
        hash: await hashApiKey(key),
        createdAt: now,
        lastUsedAt: now,
      }),
    ]);
    return { ...person, organizationId, key };
  }

  const make: Record<Caller, () => Promise<Somebody>> = {
    anonymous: () => somebody(),
    pending: () => somebody({ role: "pending" }),
    user: () => somebody(),
    "other user": () => somebody(),
    "organization admin": () => somebody({ organizationRole: "admin" }),
    "admin of another organization": () => somebody({ organizationRole: "admin", organizationId: lighthouse }),
    "system admin": () => somebody({ role: "admin", organizationId: defaultOrganizationId }),
    "identity provider": () => somebody(),
  };

  /** Another person, of the caller's organization or of another one. */
  async function neighbour(caller: Somebody, isElsewhere: boolean): Promise<Somebody> {
    const elsewhere = caller.organizationId === lighthouse ? harbour : lighthouse;
    return somebody({ organizationId: isElsewhere ? elsewhere : caller.organizationId });
  }

  const makeThing: Record<Kind, (owner: Somebody, chatId?: string) => Promise<string>> = {
    user: async (owner) => owner.id,
    organization: async (owner) => owner.organizationId,
    chat: async (owner) => {
      const branch = {
        q: { id: `q-${newId()}`, parentId: null, childrenIds: [], role: "user", content: "Hello", timestamp: now },
      };
      const history = { currentId: branch.q.id, messages: { [branch.q.id]: branch.q } };
      const { body } = await world.call<{ id: string }>("/api/v1/chats/new", {
        as: owner,
        json: { chat: { title: "Ships", history } },
      });
      return body.id;
    },
    message: async (owner, chatId) => {
      const id = chatId ?? (await makeThing.chat(await ownerFor("chat", owner)));
      const [found] = await db.select({ id: messages.id }).from(messages).where(eq(messages.chatId, id));
      return found!.id;
    },
    "tool call": async (owner, given) => {
      const chatId = given ?? (await makeThing.chat(await ownerFor("chat", owner)));
      const messageId = await makeThing.message(owner, chatId);
      const name = `call-${newId()}`;
      const data = { call_id: name, name: "count", state: "done", result: "Seven" };
      await db.insert(messageItems).values({ chatId, messageId, kind: "tool", name, data, createdAt: now });
      return name;
    },
    run: async (owner) => {
      const runId = newId();
      await world.live.startRun({
        runId,
        credential: { userId: owner.id, kind: "session", id: owner.sessionId },
        chatId: newId(),
        messageId: newId(),
        model: "openai",
        body: {},
        continueFrom: { content: "", reasoning: "" },
        generateTitle: false,
        generateTags: false,
        hasWebhook: false,
        origin: "",
      });
      return runId;
    },
    question: async (owner) => {
      const id = newId();
      const event = { data: { type: "confirmation", data: {} }, call: { id, expires_at: now + 300 } };
      world.live.questions.push({ userId: owner.id, event });
      return id;
    },
    file: (owner) => addFile(world, owner.id, now),
    passage: async (owner, given) => passageOf(world, given ?? (await makeThing.file(owner))),
    "knowledge base": (owner) => addBase(db, owner, now),
    "held file": async (owner, given) =>
      holdFile(db, given ?? (await makeThing["knowledge base"](owner)), await makeThing.file(owner), owner.id),
    directory: async (owner, given) => addDirectory(db, given ?? (await makeThing["knowledge base"](owner))),
    ...promptThings(world, async (by) => {
      const owner = await ownerFor("chat", by as Somebody);
      return { id: await makeThing.chat(owner), owner };
    }),
    upload: (owner) => addUpload(world, owner.id, now),
    // Global ones are everybody's.
    action: async () => "pressed",
    session: async (owner) => {
      const id = newId();
      await db.insert(sessions).values({ id, userId: owner.id, createdAt: now, lastUsedAt: now, expiresAt: null });
      return id;
    },
    passkey: async (owner) => {
      const id = newId();
      const row = { id, userId: owner.id, credentialId: id, publicKey: "", counter: 0, transports: [], name: "Laptop" };
      await db.insert(passkeys).values({ ...row, isSynced: false, createdAt: now });
      return id;
    },
    key: async (owner) => {
      const id = newId();
      await db
        .insert(apiKeys)
        .values({ id, userId: owner.id, name: "script", hash: newId(), createdAt: now, lastUsedAt: now });
      return id;
    },
    ...serviceAccountThings(db, now),
    invitation: (owner) => addInvitation(db, owner, now),
    connection: async (owner) => {
      const id = newId();
      await db.insert(connections).values({
        id,
        kind: "openai",
        name: id,
        baseUrl: upstream.url,
        organizationId: owner.organizationId,
        enabled: false,
        modelIds: [],
        tags: [],
        createdAt: now,
        updatedAt: now,
      });
      return id;
    },
    model: async (owner) => {
      const id = `model-${newId()}`;
      await db.insert(storedModels).values({
        id,
        userId: owner.id,
        baseModelId: "openai",
        name: id,
        meta: {},
        params: {},
        createdAt: now,
        updatedAt: now,
      });
      return id;
    },
    "provider's model": async () => "openai",
    group: async (owner) => {
      const id = newId();
      const { organizationId } = owner;
      await db.batch([
        db.insert(groups).values({ id, organizationId, name: id, permissions: {}, createdAt: now, updatedAt: now }),
        db.insert(groupMembers).values({ groupId: id, userId: owner.id, createdAt: now }),
      ]);
      return id;
    },
    quota: async (owner) => {
      const id = newId();
      const { organizationId } = owner;
      const limit = { isShared: false, model: id, unit: "requests", period: "day", amount: 1_000_000 } as const;
      const subject = { scope: "person", subjectId: owner.id } as const;
      await db.insert(quotas).values({ id, organizationId, ...subject, ...limit, createdAt: now, updatedAt: now });
      return id;
    },
    response: async (owner) => {
      const id = newResponseId();
      const response = { id, previous_response_id: null, output: [] };
      const kept = { response, input: [], isLarge: false, size: 0, createdAt: now, expiresAt: now + 1000 };
      await db.insert(storedResponses).values({ id, userId: owner.id, previousId: null, ...kept });
      return id;
    },
    ...pluginThings(world),
    channel: (owner) => addChannel(db, owner),
    "public channel": async (owner) => addPublicChannel(db, owner, await neighbour(owner, false)),
    "direct channel": (owner) => addChannel(db, owner, "direct"),
    "channel member": async (owner, given) =>
      addMember(db, given ?? (await addChannel(db, owner)), await neighbour(owner, false)),
    "channel answer": async (owner, given) => addAnswer(db, owner, given ?? (await addChannel(db, owner))),
    "channel message": async (owner, given) => addMessage(db, owner, given ?? (await addChannel(db, owner))),
    "channel webhook": async (owner, given) => addWebhook(db, given ?? (await addChannel(db, owner))),
    "webhook delivery": (owner) => addDelivery(db, owner),
    "webhook target": (owner) => addEndpoint(db, owner, receiver.url),
    word: async () => "word",
  };

  /** Things that exist no longer: their ids were good once. */
  async function forget(kind: Kind, id: string, owner: Somebody): Promise<void> {
    if (kind === "user" || kind === "service account") await db.delete(users).where(eq(users.id, id));
    await forgetPluginThing(db, kind, id);
    await forgetPromptThing(db, kind, id);
    await forgetChannelThing(db, kind, id);
    await forgetWebhookThing(db, kind, id);
    await forgetInvitation(db, kind, id);
    if (kind === "chat") await world.call(`/api/v1/chats/${id}`, { method: "DELETE", as: owner });
    if (kind === "response") await db.delete(storedResponses).where(eq(storedResponses.id, id));
    if (kind === "session") await db.delete(sessions).where(eq(sessions.id, id));
    if (kind === "passkey") await db.delete(passkeys).where(eq(passkeys.id, id));
    if (kind === "key" || kind === "service key") await db.delete(apiKeys).where(eq(apiKeys.id, id));
    if (kind === "connection") await db.delete(connections).where(eq(connections.id, id));
    if (kind === "quota") await db.delete(quotas).where(eq(quotas.id, id));
    if (kind === "model") await db.delete(storedModels).where(eq(storedModels.id, id));
    if (kind === "file" || kind === "held file") await db.delete(files).where(eq(files.id, id));
    if (kind === "knowledge base") await forgetBase(db, id);
    if (kind === "directory") await forgetDirectory(db, id);
    if (kind === "upload") await db.delete(uploads).where(eq(uploads.id, id));
    if (kind === "group") await db.delete(groups).where(eq(groups.id, id));
    if (kind === "organization") await db.delete(organizations).where(eq(organizations.id, id));
    if (kind === "question") world.live.questions = world.live.questions.filter(({ event }) => event.call?.id !== id);
    if (kind === "run") world.live.runs = world.live.runs.filter((run) => run.runId !== id);
  }

  let nextMalformed = 0;

  /** People who wait have no chats; what stands for theirs belongs to somebody beside them. */
  const ownerFor = async (kind: Kind, caller: Somebody): Promise<Somebody> =>
    caller.role === "pending" && kind === "chat" ? neighbour(caller, false) : caller;

  async function build(
    kind: Kind,
    caller: Somebody,
    variant: Exclude<Variant, "malformed">,
    chatId?: string,
  ): Promise<string> {
    if (variant === "own") return makeThing[kind](await ownerFor(kind, caller), chatId);
    if (variant !== "deleted") return makeThing[kind](await neighbour(caller, variant === "foreign organization"));
    if (neverDeleted.has(kind)) return newId();
    if (kind === "version" || kind === "passage") return "99";
    const id =
      kind === "user"
        ? (await neighbour(caller, false)).id
        : kind === "organization"
          ? await addOrganization("Gone")
          : await makeThing[kind](await ownerFor(kind, caller));
    await forget(kind, id, caller);
    return id;
  }

  const matrix: MatrixWorld = {
    ...world,
    caller(name, fresh) {
      if (fresh) return make[name]();
      const there = people.get(name) ?? make[name]();
      people.set(name, there);
      return there;
    },
    thing(kind, caller, variant, fresh, chatId) {
      if (variant === "malformed") return Promise.resolve(malformed[nextMalformed++ % malformed.length]!);
      if (fresh) return build(kind, caller, variant, chatId);
      const name = `${kind} ${caller.id} ${variant} ${chatId ?? ""}`;
      const there = known.get(name) ?? build(kind, caller, variant, chatId);
      known.set(name, there);
      return there;
    },
    async setUp(restricted) {
      const values = matrixSettings(restricted);
      const rows = Object.entries(values).map(([name, value]) => ({ name, value, updatedAt: now }));
      if (JSON.stringify(await db.select().from(settings)) === JSON.stringify(rows)) return;
      await db.batch([db.delete(settings), db.insert(settings).values(rows)]);
    },
    async version() {
      await world.settled();
      const { rows } = await watcher.execute("PRAGMA data_version");
      return Number(rows[0]?.[0]);
    },
    async dump() {
      await world.settled();
      // Rows become text inside SQLite: as values of JavaScript they would take half of the time of the whole matrix.
      const { rows: statements } = await world.client.execute(`
        SELECT 'SELECT group_concat(' || group_concat('quote("' || c.name || '")', '||') || ', char(10)) FROM "' || t.name || '"' AS text
        FROM sqlite_master t, pragma_table_info(t.name) c
        WHERE t.type = 'table' AND t.name NOT LIKE '%_search%' AND t.name <> 'audit_events' GROUP BY t.name`);
      const tables = await Promise.all(
        statements.map(async ({ text }) => (await world.client.execute(String(text))).rows[0]?.[0]),
      );
      return JSON.stringify(tables);
    },
    async renew() {
      known.clear();
      people.clear();
      // An import may have made what malformed ids name.
      await db.delete(storedModels).where(inArray(storedModels.id, malformed));
      // Others may have taken all functions away, the global button among them.
      await db.delete(plugins).where(inArray(plugins.id, [...malformed, button.id]));
      await install(world, button);
      // What was switched on is no filter that could run.
      await db.update(plugins).set({ isActive: false }).where(ne(plugins.id, button.id));
    },
    async close() {
      watcher.close();
      await world.close();
      await upstream.close();
      await receiver.close();
    },
  };
  await matrix.setUp(false);
  await install(world, button);
  // The first look at a provider is noted.
  await world.call("/api/models", { as: await world.admin() });
  return matrix;
}
