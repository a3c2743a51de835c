import { expect, test } from "vitest";
import { parseEnvironment } from "../../../../src/compose/parse-environment.ts";
import { edgeModel } from "../../../../src/documents/retrieval/embedding/edge-model.ts";
import { embedBatch } from "../../../../src/documents/retrieval/embedding/embed-batch.ts";
import { createEdgeModels, type AiBinding } from "../../../../workers/ports/edge-models.ts";

const id = "@cf/baai/bge-m3";

/** What the platform answers, one after the other: an answer, or the message of an error. */
function bound(...answers: (unknown[] | string)[]) {
  const asked: { model: string; text: string[] }[] = [];
  const ai: AiBinding = {
    async run(model, { text }) {
      asked.push({ model, text });
      const answer = answers.shift();
      if (typeof answer === "string") throw new Error(answer);
      return { shape: [text.length, 2], data: answer ?? text.map(() => [3, 4]) };
    },
  };
  const model = edgeModel(createEdgeModels(ai), id)!;
  const ctx = { outbound: { trusted: fetch, guarded: fetch }, environment: parseEnvironment({}) };
  const embed = (texts: string[]) =>
    embedBatch(ctx, model, texts, {
      signal: new AbortController().signal,
      timeoutMs: 1000,
      tries: 2,
      maxWaitMs: 100,
    });
  return { asked, embed };
}

test("models of the platform give vectors like all others", async () => {
  const { asked, embed } = bound();
  expect(await embed(["a", "b"])).toEqual([Float32Array.of(0.6, 0.8), Float32Array.of(0.6, 0.8)]);
  expect(asked).toEqual([{ model: id, text: ["a", "b"] }]);
});

test("they are there only by their ids, and where they are bound", () => {
  const models = createEdgeModels({ run: () => Promise.resolve({}) });
  expect(edgeModel(models, "tiny-embed")).toBeUndefined();
  expect(edgeModel(undefined, id)).toBeUndefined();
});

test.each([
  ["what passes is tried again", ["InferenceUpstreamError: 1031: internal error"], [2, 2], "done"],
  ["what is too much is sent in parts", ["3006: Request is too large"], [2, 1, 1], "done"],
  ["what is used up is waited for elsewhere", ["3036: You have used up your daily free allocation"], [2], "again"],
  ["what does not exist is not tried again", ["InferenceUpstreamError: 5007: No such model or task"], [2], "none"],
])("%s", async (_, answers, sizes, outcome) => {
  const { asked, embed } = bound(...answers);
  const came = await embed(["a", "b"]).then(
    () => "done",
    (error: { remedy: string }) => error.remedy,
  );
  expect(came).toBe(outcome);
  expect(asked.map(({ text }) => text.length)).toEqual(sizes);
});
