import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { addDocument } from "../../chat/retrieval/document-world.ts";
import { textIn } from "../../fixtures/upstreams/scripted-upstream.ts";
import type { Person } from "../../world.ts";
import { at, createReplyWorld, type ReplyWorld } from "./reply-world.ts";

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
let world: ReplyWorld;
let ada: Person;
let bob: Person;

beforeAll(async () => {
  world = await createReplyWorld({ harbour: () => ({ content: "It opens at six [1]." }) });
  ada = await world.person({ name: "Ada" });
  bob = await world.person({ name: "Bob" });
});
afterAll(() => world.close());
beforeEach(() => void (world.upstream.requests.length = 0));

const beside = (...ids: string[]) => ({ files: ids.map((id) => ({ id })) });
const asked = () => world.upstream.requests.at(-1)!.messages;

it("looks things up in documents beside what was said, whoever put them there, and says which", async () => {
  const channel = await world.channel(ada);
  const handbook = await addDocument(world, ada, { name: "gate.pdf", passages: ["The gate opens at six."] });
  const head = await world.tell(ada, channel, "Here it is", beside(handbook));
  const [answer] = await world.ask(bob, channel, `${at("harbour")} when does the gate open?`, { parent_id: head.id });
  expect(answer).toMatchObject({ state: "done", meta: { sources: [{ number: 1, name: "gate.pdf", page: null }] } });
  expect(textIn(asked().at(-1)!.content)).toContain("The gate opens at six.");
  expect(textIn(asked().at(-1)!.content)).toContain("Ada: Here it is\n(With: gate.pdf)");
});

it("shows the model pictures, each behind the words it stands beside", async () => {
  const channel = await world.channel(ada);
  const set = { contentType: "image/png", size: png.length };
  const picture = await addDocument(world, ada, { name: "pier.png", set });
  await world.services.blobs.put(`files/${picture}`, png);
  const head = await world.tell(ada, channel, "Look", beside(picture));
  await world.ask(bob, channel, `${at("harbour")} what is it?`, { parent_id: head.id });
  const content = asked().at(-1)!.content as unknown as { type: string; text?: string; image_url?: { url: string } }[];
  expect(content.map(({ type }) => type)).toEqual(["text", "image_url", "text"]);
  expect(content[0]!.text).toBe("Ada: Look");
  expect(content[1]!.image_url!.url).toBe(`data:image/png;base64,${png.toString("base64")}`);
  expect(content[2]!.text).toBe("Bob: @harbour what is it?");
});

it("answers without what is gone", async () => {
  const channel = await world.channel(ada);
  const gone = await addDocument(world, ada, { name: "gone.pdf", passages: ["A secret."] });
  const head = await world.tell(ada, channel, "Here", beside(gone));
  await world.call(`/api/v1/files/${gone}`, { as: ada, method: "DELETE" });
  const [answer] = await world.ask(bob, channel, `${at("harbour")} and?`, { parent_id: head.id });
  expect(answer).toMatchObject({ state: "done" });
  expect(JSON.stringify(asked())).not.toContain("secret");
});
