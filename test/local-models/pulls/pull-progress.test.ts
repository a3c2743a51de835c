import { expect, test } from "vitest";
import { createPullProgress } from "../../../src/local-models/pulls/pull-progress.ts";

test("layers add up, in whatever order they come", () => {
  const note = createPullProgress();
  expect(note('{"status":"pulling manifest"}')).toMatchObject({ status: "pulling manifest", total: 0, isDone: false });
  note('{"status":"pulling a","digest":"a","total":100}');
  note('{"status":"pulling b","digest":"b","total":50,"completed":10}');
  expect(note('{"status":"pulling a","digest":"a","total":100,"completed":60}')).toMatchObject({
    completed: 70,
    total: 150,
  });
  // A layer that is begun anew, and one that says more than there is.
  note('{"digest":"a","total":100,"completed":0}');
  expect(note('{"digest":"b","total":50,"completed":70}')).toMatchObject({ completed: 50, total: 150 });
  expect(note('{"status":"success"}')).toMatchObject({ isDone: true, status: "success" });
});

test.each([
  "",
  "no json",
  "[]",
  "null",
  '{"digest":7}',
  '{"digest":"x","total":-1,"completed":"9"}',
  '{"digest":"x","total":1e30}',
])("%j counts for nothing", (line) => {
  expect(createPullProgress()(line)).toMatchObject({ completed: 0, total: 0, isDone: false, error: undefined });
});

test("says why the runtime gave up", () => {
  expect(createPullProgress()('{"error":"no space left on device"}').error).toBe("no space left on device");
});
