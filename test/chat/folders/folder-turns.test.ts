import { describe, expect, it } from "vitest";
import { folderReferences, folders } from "../../../src/chat/folders/tables.ts";
import { settings } from "../../../src/db/tables.ts";
import { newId } from "../../../src/lib/id.ts";
import { grants } from "../../../src/people/grants/tables.ts";
import { defaultOrganizationId, type Person } from "../../world.ts";
import { useFilterWorld } from "../functions/filter-world.ts";
import { addCollection, addDocument } from "../retrieval/document-world.ts";

const here = useFilterWorld();

const ferry = "The ferry to Skagen leaves the northern quay at nine in the morning.";
const question = "When does the ferry leave?";

interface Values {
  instructions?: string;
  parentId?: string;
  file?: string;
  collection?: string;
}

/** A folder of the person's. */
async function addFolder(owner: Person, { instructions = "", parentId, file, collection }: Values): Promise<string> {
  const id = newId();
  const { db } = here.world;
  const [userId, organizationId] = [owner.id, defaultOrganizationId];
  const times = { createdAt: 0, updatedAt: 0 };
  await db.insert(folders).values({
    id,
    userId,
    organizationId,
    parentId: parentId ?? null,
    name: id,
    instructions,
    modelIds: [],
    meta: {},
    ...times,
  });
  const references = [
    ...(file === undefined ? [] : [{ kind: "file" as const, referenceId: file }]),
    ...(collection === undefined ? [] : [{ kind: "collection" as const, referenceId: collection }]),
  ];
  for (const [position, reference] of references.entries())
    await db.insert(folderReferences).values({ folderId: id, position, ...reference });
  return id;
}

async function share(folderId: string, withWhom: Person): Promise<void> {
  await here.world.db.insert(grants).values({
    id: newId(),
    resourceType: "folder",
    resourceId: folderId,
    principalType: "user",
    principalId: withWhom.id,
    permission: "read",
    createdAt: 0,
  });
}

/** What the model was asked last for an answer. */
function asked(): { role: string; content: string }[] {
  const answers = here.asked().filter(({ body }) => !JSON.stringify(body).includes("Name the conversation"));
  return (answers.at(-1)!.body as { messages: { role: string; content: string }[] }).messages;
}
const system = () => asked().find(({ role }) => role === "system")?.content;
const ask = (more: Record<string, unknown>) => here.turn({ user_message: { id: newId(), content: question }, ...more });

describe("a turn of a chat in a folder", () => {
  it("has the instructions of all folders around it, the outermost first and the chat's own last", async () => {
    const outer = await addFolder(here.ada, { instructions: "Be brief." });
    const middle = await addFolder(here.ada, { parentId: outer });
    const inner = await addFolder(here.ada, { parentId: middle, instructions: "Speak Danish." });
    const { start } = await ask({ folder_id: inner });
    expect(system()).toBe("Be brief.\n\nSpeak Danish.");
    await ask({ chat_id: start.chatId, parent_id: start.messageId, params: { system: "No jokes." } });
    expect(system()).toBe("Be brief.\n\nSpeak Danish.\n\nNo jokes.");
  });

  it("adds nothing where there is no folder", async () => {
    await ask({});
    expect(system()).toBeUndefined();
  });

  it("searches the folder's files and knowledge that the caller may read, and mentions no others", async () => {
    const file = await addDocument(here.world, here.ada, { passages: [ferry] });
    const other = await here.world.person();
    const foreign = await addDocument(here.world, other, { passages: ["The ferry is owned by Olsen."] });
    const collection = await addCollection(here.world, other, [foreign]);
    const folderId = await addFolder(here.ada, { file, collection });
    const { start } = await ask({ folder_id: folderId });
    expect(JSON.stringify(asked())).toContain(ferry);
    expect(JSON.stringify(asked())).not.toContain("Olsen");
    const message = (await here.shown(start.chatId)).at(-1)!;
    expect(message["sources"]).toMatchObject([{ source: { id: file } }]);
    expect(message["statusHistory"]).toHaveLength(2);
  });

  it("has only what the caller can read of folders that others share", async () => {
    const owner = await here.world.person();
    const outer = await addFolder(owner, { instructions: "A secret." });
    const inner = await addFolder(owner, { parentId: outer, instructions: "Be brief." });
    await share(inner, here.ada);
    const { start } = await ask({ folder_id: inner });
    expect(system()).toBe("Be brief.");
    await here.world.db.delete(grants);
    await ask({ chat_id: start.chatId, parent_id: start.messageId });
    expect(system()).toBeUndefined();
  });

  it("has no instructions of people's own folders without the permission for instructions", async () => {
    const folderId = await addFolder(here.ada, { instructions: "Be brief." });
    await here.world.db
      .insert(settings)
      .values({ name: "permissions.default", value: { chat: { system_prompt: false } }, updatedAt: 0 });
    const { status } = await here.world.call("/api/v1/folders/", {
      as: here.ada,
      json: { name: "Rules", data: { system_prompt: "Be brief." } },
    });
    expect(status).toBe(403);
    await ask({ folder_id: folderId });
    expect(system()).toBeUndefined();
  });

  it("is the same when it is answered over HTTP", async () => {
    const file = await addDocument(here.world, here.ada, { passages: [ferry] });
    const folderId = await addFolder(here.ada, { instructions: "Be brief.", file });
    const chat = await here.world.call<{ id: string }>("/api/v1/chats/new", {
      as: here.ada,
      json: { chat: { title: "Ferries" }, folder_id: folderId },
    });
    const messages = [{ role: "user", content: question }];
    await here.world.call("/api/chat/completions", {
      as: here.ada,
      json: { model: "openai", chat_id: chat.body.id, messages },
    });
    expect(system()).toBe("Be brief.");
    expect(JSON.stringify(asked())).toContain(ferry);
  });

  it("begins in no folder that the caller cannot read", async () => {
    const theirs = await addFolder(await here.world.person(), {});
    const { status, body } = await here.world.call<{ error: { message: string } }>("/api/chat/completions", {
      as: here.ada,
      json: {
        model: "openai",
        session_id: "s",
        id: newId(),
        folder_id: theirs,
        user_message: { id: newId(), content: question },
      },
    });
    expect([status, body.error.message]).toEqual([404, "No such folder"]);
  });
});
