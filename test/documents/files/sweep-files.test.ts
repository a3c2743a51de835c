import { afterAll, beforeAll, expect, test } from "vitest";
import { sweepFiles } from "../../../src/documents/files/sweep-files.ts";
import { createWorld, type World } from "../../world.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

test("texts that belong to no reading go within a round, wherever they are, and those that count stay", async () => {
  const { client, services } = world;
  const { id } = await world.person();
  const old = services.now() - 7200;
  await client.execute({
    sql: `INSERT INTO files (id, user_id, filename, content_type, size, created_at, version, versions, state)
      VALUES ('file', ?, 'harbour.txt', 'text/plain', 1, ?, 1, 3, 'completed')`,
    args: [id, old],
  });
  for (const [number, version] of [
    [12_000, 1],
    [12_001, 2],
    [3, 3],
  ] as const)
    await client.execute({
      sql: "INSERT INTO file_texts (number, file_id, version, created_at) VALUES (?, 'file', ?, ?)",
      args: [number, version, old],
    });
  // 12,001 texts are three parts, one in each minute.
  for (let minute = 0; minute < 3; minute++) {
    await sweepFiles(services);
    world.advance(60);
  }
  const { rows } = await client.execute("SELECT version FROM file_texts");
  expect(rows.map((row) => row["version"])).toEqual([1]);
});
