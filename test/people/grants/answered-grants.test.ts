import { afterAll, beforeAll, expect, test } from "vitest";
import { storedGrant } from "../../../src/people/grants/schema.ts";
import { adderTools } from "../../plugins/sources.ts";
import { addServer } from "../../plugins/tool-servers/tool-server-world.ts";
import { createWorld, type Person, type World } from "../../world.ts";

let world: World;
let admin: Person;
let ada: Person;
beforeAll(async () => {
  world = await createWorld();
  admin = await world.admin();
  ada = await world.person();
});
afterAll(() => world.close());

type Answered = { id: string; share_id: string; access_grants: unknown[] };

const create = async (path: string, json: Record<string, unknown>): Promise<Answered> => {
  const { status, body } = await world.call<Answered>(path, { as: admin, json });
  if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
  return body;
};

/** Makes a thing of each kind with a grant for Ada, and gives its answer. */
const kinds: Record<string, (access_grants: unknown[]) => Promise<Omit<Answered, "share_id">>> = {
  model: (access_grants) =>
    create("/api/v1/models/create", { id: "pilot", base_model_id: "parley-guide", name: "Pilot", access_grants }),
  knowledge: (access_grants) =>
    create("/api/v1/knowledge/create", { name: "Harbour", description: "Tides", access_grants }),
  prompt: (access_grants) =>
    create("/api/v1/prompts/create", { command: "tides", name: "Tides", content: "When?", access_grants }),
  tool: (access_grants) =>
    create("/api/v1/tools/create", { id: "adder", name: "Adder", content: adderTools, meta: {}, access_grants }),
  tool_server: (access_grants) =>
    addServer(world, admin, { name: "Ferries", url: "https://ferries.harbour.example", access_grants }),
  async shared_chat(access_grants) {
    const chat = { title: "Tides", history: { messages: { q: { id: "q", role: "user", content: "When?" } } } };
    const { id } = await create("/api/v1/chats/new", { chat });
    const { share_id } = await create(`/api/v1/chats/${id}/share`, { access_grants });
    const { body } = await world.call<Answered>(`/api/v1/chats/${id}/share`, { as: admin });
    return { ...body, id: share_id };
  },
};

test.each(Object.entries(kinds))(
  "a grant of a %s is answered with all that typed clients require",
  async (kind, make) => {
    const given = { principal_type: "user", principal_id: ada.id, permission: "read" };
    const { id, access_grants: grants } = await make([given]);
    expect(grants).toEqual([
      { ...given, id: expect.any(String), resource_type: kind, resource_id: id, created_at: expect.any(Number) },
    ]);
    expect(storedGrant.strict().safeParse(grants[0]).success).toBe(true);
  },
);
