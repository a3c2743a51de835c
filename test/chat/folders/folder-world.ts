import type { ChatResponse } from "../../../src/chat/conversations/schema.ts";
import type { FolderSummary, FolderView } from "../../../src/chat/folders/schema.ts";
import { settings } from "../../../src/db/tables.ts";
import { type BaseWorld, createBaseWorld } from "../../documents/knowledge/base-world.ts";
import type { Answer, Person, WorldOptions } from "../../world.ts";

export const path = "/api/v1/folders";
export type Refusal = { detail: string };

export interface FolderWorld extends BaseWorld {
  /** A folder of the person's. */
  folder(as: Person, name: string, more?: Record<string, unknown>): Promise<FolderView>;
  /** What an address of a folder says to a POST. */
  post(as: Person, id: string, json: unknown): Promise<Answer<FolderView & Refusal>>;
  folderOf(as: Person, id: string): Promise<Answer<FolderView & Refusal>>;
  /** Names of the person's own folders. */
  names(as: Person): Promise<string[]>;
  chat(as: Person, folderId?: string | null, more?: Record<string, unknown>): Promise<ChatResponse>;
  /** Titles of the list of chats at the address. */
  titles(as: Person, address?: string): Promise<string[]>;
}

/** A world in which everyone may make and share folders and knowledge bases. */
export async function createFolderWorld(options: WorldOptions = {}): Promise<FolderWorld> {
  const world = await createBaseWorld(options);
  await world.db.insert(settings).values({
    name: "permissions.default",
    value: { workspace: { knowledge: true }, sharing: { folders: true, knowledge: true } },
    updatedAt: world.services.now(),
  });
  const must = <T>(what: string, { status, body }: Answer<T>): T => {
    if (status !== 200) throw new Error(`${what} answered ${status}: ${JSON.stringify(body)}`);
    return body;
  };
  return {
    ...world,
    folder: async (as, name, more = {}) =>
      must("making a folder", await world.call<FolderView>(`${path}/`, { as, json: { name, ...more } })),
    post: (as, id, json) => world.call(`${path}/${id}`, { as, json }),
    folderOf: (as, id) => world.call(`${path}/${id}`, { as }),
    names: async (as) => (await world.call<FolderSummary[]>(`${path}/`, { as })).body.map(({ name }) => name),
    chat: async (as, folderId = null, more = {}) =>
      must(
        "making a chat",
        await world.call<ChatResponse>("/api/v1/chats/new", {
          as,
          json: { chat: { title: "Tides", ...more }, folder_id: folderId },
        }),
      ),
    titles: async (as, address = "/api/v1/chats/") =>
      (await world.call<{ title: string }[]>(address, { as })).body.map(({ title }) => title),
  };
}

/** Grants for a person. */
export const shareWith = (person: Person, permission: "read" | "write" = "read") => ({
  access_grants: [{ principal_type: "user", principal_id: person.id, permission }],
});
