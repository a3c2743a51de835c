import { afterAll, beforeAll, expect, test } from "vitest";
import { readPicture, readsPictures } from "../../../../src/documents/files/extraction/picture-reader.ts";
import { JobFailure } from "../../../../src/jobs/job-failure.ts";
import { serviceContext } from "../../../../src/people/auth/service-context.ts";
import { answering, hanging, listing, startProvider, type Behaviour, type Provider } from "../../../models/provider.ts";
import { storeConnection } from "../../../models/store-connection.ts";
import { createWorld, type World } from "../../../world.ts";

const key = "sk-vision-secret-1234567890";
let provider: Provider;
let world: World;
beforeAll(async () => {
  provider = await startProvider();
  world = await createWorld({ environment: { RAG_VISION_MODEL: "sees" } });
  await storeConnection(world, { base_url: `${provider.origin}/v1`, key });
});
afterAll(async () => {
  await provider.close();
  await world.close();
});

const picture = { page: 3, contentType: "image/png", base64: "iVBORw0KGgo=" };
const never = new AbortController().signal;
const ctx = () => serviceContext(world.services);

/** Lists the model, and answers completions so. */
function behave(behaviour: Behaviour): void {
  const models = listing("sees");
  provider.bodies.length = 0;
  provider.behave((request, response) => (request.url === "/v1/models" ? models : behaviour)(request, response));
}

const saying = (content: string) =>
  answering(200, JSON.stringify({ choices: [{ message: { role: "assistant", content }, finish_reason: "stop" }] }));

async function failureOf(behaviour: Behaviour): Promise<JobFailure> {
  behave(behaviour);
  const error: unknown = await readPicture(await ctx(), picture, never).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(JobFailure);
  return error as JobFailure;
}

test("asks the model of the settings with the picture, as nobody", async () => {
  behave(saying("# Invoice\n\n| a | b |"));
  expect(readsPictures(await ctx())).toBe(true);
  await expect(readPicture(await ctx(), picture, never)).resolves.toBe("# Invoice\n\n| a | b |");
  const { model, messages } = JSON.parse(provider.bodies.at(-1)!) as {
    model: string;
    messages: { content: unknown[] }[];
  };
  expect(model).toBe("sees");
  expect(messages[0]!.content[1]).toEqual({
    type: "image_url",
    image_url: { url: "data:image/png;base64,iVBORw0KGgo=" },
  });
});

test("takes a fence away, and holds a picture without text for empty", async () => {
  behave(saying("```markdown\nWords\n```"));
  await expect(readPicture(await ctx(), picture, never)).resolves.toBe("Words");
  behave(saying(" **No text.** "));
  await expect(readPicture(await ctx(), picture, never)).resolves.toBe("");
});

test("says why it cannot, and whether another try can help", async () => {
  const busy = await failureOf((_, response) => void response.writeHead(429, { "retry-after": "7" }).end("{}"));
  expect(busy).toMatchObject({ code: "reader_failed", final: false, retryAfter: 7 });
  const broken = await failureOf(answering(500, "{}"));
  expect(broken).toMatchObject({ code: "reader_failed", final: false, retryAfter: undefined });
  const refused = await failureOf(answering(400, JSON.stringify({ error: { message: `no images for ${key}` } })));
  expect(refused).toMatchObject({ code: "reader_failed", final: true });
  expect(refused.message).toContain("sees: no images for");
  expect(refused.message).not.toContain(key);
});

test("lets go at once when its job ends", async () => {
  behave(hanging);
  const job = new AbortController();
  const reading = readPicture(await ctx(), picture, job.signal);
  job.abort(new Error("the job has ended"));
  await expect(reading).rejects.not.toBeInstanceOf(JobFailure);
});

test("tells of a model that is not there", async () => {
  const empty = await createWorld({ environment: { RAG_VISION_MODEL: "gone" } });
  const reading = readPicture(await serviceContext(empty.services), picture, never);
  await expect(reading).rejects.toMatchObject({
    code: "reader_failed",
    message: expect.stringMatching(/gone/) as string,
  });
  await empty.close();
});
