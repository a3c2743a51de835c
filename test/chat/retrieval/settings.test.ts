import { sql } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { embeddingSpaces } from "../../../src/documents/retrieval/tables.ts";
import { startProvider, type Behaviour } from "../../models/provider.ts";
import { createWorld, type Person, type World } from "../../world.ts";
import { addCollection, addDocument, type Looked } from "./document-world.ts";

/** A provider that answers every completion with `reply`, and what it was asked. */
async function open(environment: Record<string, string> = {}) {
  const requests: { messages: { content: string }[] }[] = [];
  let reply = "Nine";
  const behave: Behaviour = (request, response) => {
    if (request.method === "GET") {
      const data = [{ id: "m", object: "model" }];
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ object: "list", data }));
      return;
    }
    const body = JSON.parse(provider.bodies.at(-1)!) as (typeof requests)[number];
    requests.push(body);
    const isTask = body.messages[0]!.content.includes('{"queries"');
    const content = isTask ? reply : "Nine";
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }] }));
  };
  const provider = await startProvider(behave);
  world = await createWorld({ environment: { OPENAI_API_BASE_URLS: `${provider.origin}/v1`, ...environment } });
  ada = await world.person();
  close = async () => {
    await world.close();
    await provider.close();
  };
  return {
    requests,
    wording: (text: string) => void (reply = text),
    async ask(files: object[], content: string, before: object[] = []) {
      const messages = [...before, { role: "user", content }];
      const answer = await world.call<Looked>("/api/chat/completions", {
        as: ada,
        json: { model: "m", messages, files },
      });
      expect(answer.status).toBe(200);
      return { ...answer.body, documents: answer.body.sources!.flatMap(({ document }) => document) };
    },
  };
}

let world: World;
let ada: Person;
let close: () => Promise<void>;
beforeEach(() => async () => close());

const passages = Array.from({ length: 30 }, (_, at) => `Rule ${at} of the harbour is about ships and ropes.`);
const file = (id: string) => ({ type: "file", id });

it("RAG_TOP_K says how many passages there are, of all that is searched together", async () => {
  const { ask } = await open({ RAG_TOP_K: "4" });
  const own = await addDocument(world, ada, {
    name: "own.pdf",
    passages: ["Ropes of mine.", "Ships of mine.", "Sails."],
  });
  const large = await addDocument(world, ada, { name: "large.pdf", passages });
  const base = await addCollection(world, ada, [large]);
  expect((await ask([file(large)], "ships and ropes")).documents).toHaveLength(4);
  // Half of the places are for what was attached, also where nothing of it fits the question.
  for (const question of ["ships and ropes", "harbour rule"]) {
    const { sources } = await ask([file(own), { type: "collection", id: base }], question);
    expect(Object.fromEntries(sources!.map(({ source, document }) => [source.name, document.length]))).toEqual({
      "own.pdf": 2,
      "large.pdf": 2,
    });
  }
  const few = await ask([file(own), { type: "collection", id: base }], "sails");
  expect(few.documents).toEqual(["Ropes of mine.", "Ships of mine.", "Sails."]);
});

it("RAG_CONTEXT_TOKENS bounds what all of them take", async () => {
  const { ask, requests } = await open({ RAG_TOP_K: "20", RAG_CONTEXT_TOKENS: "200" });
  const large = await addDocument(world, ada, { passages });
  const { documents } = await ask([file(large)], "ships and ropes");
  expect(documents.length).toBeGreaterThan(2);
  expect(documents.length).toBeLessThan(10);
  expect(requests.at(-1)!.messages.at(-1)!.content.length).toBeLessThan(2500);
});

it("RAG_TEMPLATE says how they are given", async () => {
  const { ask, requests } = await open({ RAG_TEMPLATE: "Look: {{CONTEXT}} Now: {{QUERY}}" });
  const one = await addDocument(world, ada, { name: "a.txt", passages: ["Ships."] });
  await ask([file(one)], "Ships?");
  expect(requests.at(-1)!.messages.at(-1)!.content).toBe(
    'Look: <source id="1" name="a.txt">\nShips.\n</source> Now: Ships?',
  );
});

it("ENABLE_RETRIEVAL_QUERY_GENERATION lets a model word the search, and the question serves where it does not", async () => {
  const { ask, requests, wording } = await open({ ENABLE_RETRIEVAL_QUERY_GENERATION: "true" });
  const one = await addDocument(world, ada, { passages: ["Boats are moored at the pier.", "Fees are paid in May."] });
  const base = await addCollection(world, ada, [one]);
  const files = [{ type: "collection", id: base }];
  const before = [
    { role: "user", content: "Tell me of boats" },
    { role: "assistant", content: "Gladly" },
  ];
  wording('```json\n{"queries": ["pier for boats"]}\n```');
  expect((await ask(files, "Where are they put?", before)).documents).toEqual(["Boats are moored at the pier."]);
  expect(requests).toHaveLength(2);
  expect(requests[0]!.messages[0]!.content).toContain("<assistant>\nGladly\n</assistant>\n<user>\nWhere are they put?");
  for (const nonsense of ["I cannot do that", "{}", ""]) {
    wording(nonsense);
    expect((await ask(files, "Fees in May?")).documents).toEqual(["Fees are paid in May."]);
  }
});

it("says where a part of the search fails, and goes on with the rest", async () => {
  const { ask } = await open();
  const now = world.services.now();
  await world.db.insert(embeddingSpaces).values({ model: "gone", dimension: 3, state: "serving", createdAt: now });
  const one = await addDocument(world, ada, { passages: ["Ships."] });
  const base = await addCollection(world, ada, [one]);
  const { documents, warnings } = await ask([{ type: "collection", id: base }], "Ships?");
  expect(documents).toEqual(["Ships."]);
  expect(warnings).toMatchObject([{ code: "search_incomplete" }]);
});

it("goes on without documents where the search fails, and says so", async () => {
  const { ask, requests } = await open();
  const one = await addDocument(world, ada, { passages: ["Ships."] });
  const base = await addCollection(world, ada, [one]);
  await world.db.run(sql`ALTER TABLE chunk_search RENAME TO chunk_search_gone`);
  const { documents, warnings } = await ask([{ type: "collection", id: base }], "Ships?");
  expect(documents).toEqual([]);
  expect(warnings).toMatchObject([{ code: "search_failed" }]);
  expect(requests.at(-1)!.messages.at(-1)!.content).toContain("The search failed");
});
