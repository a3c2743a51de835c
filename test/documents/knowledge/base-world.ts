import { eq } from "drizzle-orm";
import { settings } from "../../../src/db/tables.ts";
import { files } from "../../../src/documents/files/tables.ts";
import type { KnowledgeView } from "../../../src/documents/knowledge/schema.ts";
import { newId } from "../../../src/lib/id.ts";
import { sha256Hex } from "../../../src/lib/sha256.ts";
import { groupMembers, groups } from "../../../src/people/groups/tables.ts";
import { organizations } from "../../../src/people/organizations/tables.ts";
import { users } from "../../../src/people/users/tables.ts";
import { createWorld, type Person, type World, type WorldOptions } from "../../world.ts";

export interface StoredFile {
  name?: string;
  /** What stands in it: the same text is the same content. */
  text?: string;
  state?: "stored" | "pending" | "completed" | "failed";
  errorCode?: string;
  chatId?: string;
}

export interface BaseWorld extends World {
  /** A file as it is after it was read, or in another state. */
  file(owner: Person, file?: StoredFile): Promise<string>;
  base(owner: Person, values?: Record<string, unknown>): Promise<KnowledgeView>;
  organization(name?: string): Promise<string>;
  group(organizationId: string, members: Person[]): Promise<string>;
  setOrganization(person: Person, organizationId: string, role?: "admin" | "member"): Promise<void>;
  /** Everyone may make bases and share them. */
  allowAll(): Promise<void>;
}

export async function createBaseWorld(options: WorldOptions = {}): Promise<BaseWorld> {
  const world = await createWorld(options);
  const { db } = world;
  const now = () => world.services.now();
  const self: BaseWorld = {
    ...world,
    async file(owner, { name = "tides.txt", text = newId(), state = "completed", errorCode, chatId } = {}) {
      const id = newId();
      const sha256 = await sha256Hex(text);
      await world.services.blobs.put(`files/${id}`, new TextEncoder().encode(text));
      const [home] = await db.select({ id: users.organizationId }).from(users).where(eq(users.id, owner.id));
      const isRead = state === "completed";
      await db.insert(files).values({
        id,
        userId: owner.id,
        organizationId: home!.id,
        chatId: chatId ?? null,
        filename: name,
        contentType: "text/plain",
        size: text.length,
        sha256,
        state,
        stage: state === "pending" ? "extracting" : null,
        ...(state === "failed" ? { errorCode: errorCode ?? "file_corrupt", error: "It is damaged" } : {}),
        version: isRead ? 1 : 0,
        textSha256: isRead ? sha256 : null,
        textLength: isRead ? text.length : 0,
        chunkCount: isRead ? 1 : 0,
        createdAt: now(),
        updatedAt: now(),
      });
      return id;
    },
    async base(owner, values = {}) {
      const { status, body } = await world.call<KnowledgeView>("/api/v1/knowledge/create", {
        as: owner,
        json: { name: "Harbour", description: "Tides and ships", ...values },
      });
      if (status !== 200) throw new Error(`create answered ${status}: ${JSON.stringify(body)}`);
      return body;
    },
    async organization(name = "Harbour") {
      const id = newId();
      await db
        .insert(organizations)
        .values({ id, name, modelIds: null, features: {}, createdAt: now(), updatedAt: now() });
      return id;
    },
    async group(organizationId, members) {
      const id = newId();
      await db.insert(groups).values({
        id,
        organizationId,
        name: id,
        permissions: {},
        share: "everyone",
        createdAt: now(),
        updatedAt: now(),
      });
      for (const { id: userId } of members)
        await db.insert(groupMembers).values({ groupId: id, userId, createdAt: now() });
      return id;
    },
    async setOrganization(person, organizationId, role = "member") {
      await db.update(users).set({ organizationId, organizationRole: role }).where(eq(users.id, person.id));
    },
    async allowAll() {
      await db.insert(settings).values({
        name: "permissions.default",
        value: { workspace: { knowledge: true, models: true }, sharing: { knowledge: true, public_knowledge: true } },
        updatedAt: now(),
      });
    },
  };
  return self;
}
