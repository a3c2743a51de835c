import { setTimeout } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { settings } from "../../../src/db/tables.ts";
import { files } from "../../../src/documents/files/tables.ts";
import {
  maxDepth,
  type BaseFiles,
  type DirectoryView,
  type KnowledgeView,
  type KnowledgeWithFiles,
} from "../../../src/documents/knowledge/schema.ts";
import { newId } from "../../../src/lib/id.ts";
import type { Person } from "../../world.ts";
import { createBaseWorld, type BaseWorld } from "./base-world.ts";

let world: BaseWorld;
let ada: Person;
let base: KnowledgeView;
beforeAll(async () => {
  world = await createBaseWorld();
  await world.allowAll();
});
afterAll(() => world.close());
beforeEach(async () => {
  ada = await world.person();
  base = await world.base(ada);
});

const path = "/api/v1/knowledge";
const post = <T = KnowledgeWithFiles>(route: string, json: unknown, as: Person = ada) =>
  world.call<T>(`${path}/${base.id}/${route}`, { as, json });
const add = (file: string, values: Record<string, unknown> = {}, as: Person = ada) =>
  post<KnowledgeWithFiles & { code: string; detail: string }>("file/add", { file_id: file, ...values }, as);
const list = async (query = "") => (await world.call<BaseFiles>(`${path}/${base.id}/files?${query}`, { as: ada })).body;
const namesOf = ({ items }: BaseFiles) => items.map(({ filename }) => filename);

describe("adding a file without a text", () => {
  test.each([
    ["pending", {}, "file_processing", /process\/status/],
    ["failed", {}, "file_failed", /It is damaged/],
    ["failed", { errorCode: "file_no_text" }, "file_no_text", /has no text/],
    ["failed", { errorCode: "file_empty" }, "file_no_text", /has no text/],
    ["stored", {}, "file_not_processed", /\/process/],
  ] as const)("that is %s with %o is 400 and changes nothing", async (state, values, code, hint) => {
    const file = await world.file(ada, { state, ...values });
    const before = await world.db.select().from(files).where(eq(files.id, file));
    const { status, body } = await add(file, { path: "new/place.txt" });
    expect({ status, code: body.code }).toEqual({ status: 400, code });
    expect(body.detail).toMatch(hint);
    expect(await world.db.select().from(files).where(eq(files.id, file))).toEqual(before);
    const { items, directories } = await list();
    expect({ items, directories }).toEqual({ items: [], directories: [] });
  });

  test("that is being read waits until that has ended, and no longer than two seconds", async () => {
    const file = await world.file(ada, { state: "pending" });
    const change = async (id: string, values: Partial<typeof files.$inferInsert>) => {
      await setTimeout(300);
      await world.db.update(files).set(values).where(eq(files.id, id));
    };
    void change(file, { state: "completed", version: 1 });
    const { status, body } = await add(file);
    expect({ status, ids: body.files.map(({ id }) => id) }).toEqual({ status: 200, ids: [file] });
    const broken = await world.file(ada, { state: "pending" });
    void change(broken, { state: "failed", errorCode: "file_no_text", error: "Nothing" });
    expect((await add(broken)).body.code).toBe("file_no_text");

    const slow = await world.file(ada, { state: "pending" });
    const asked = Date.now();
    world.roundTrips.reset();
    expect((await add(slow)).body.code).toBe("file_processing");
    expect(Date.now() - asked).toBeGreaterThan(1500);
    expect(world.roundTrips.count).toBeLessThan(20);
  });

  test("but with an older one that serves is fine", async () => {
    const file = await world.file(ada);
    await world.db.update(files).set({ state: "pending", stage: "extracting" }).where(eq(files.id, file));
    expect((await add(file)).status).toBe(200);
    const broken = await world.file(ada);
    await world.db
      .update(files)
      .set({ state: "failed", errorCode: "file_timeout", error: "Late" })
      .where(eq(files.id, broken));
    expect((await add(broken)).status).toBe(200);
  });
});

test("files that are unknown, deleted or somebody else's are not there", async () => {
  const eve = await world.person();
  const foreign = await world.file(eve);
  for (const id of [newId(), foreign, "'; DROP TABLE files; --"]) expect((await add(id)).status).toBe(404);
  expect((await add("x".repeat(200))).status).toBe(422);
  expect((await post("file/add", {})).status).toBe(422);
  expect((await add(await world.file(ada), { directory_id: newId() })).status).toBe(404);
  expect((await list()).total).toBe(0);
});

test("adding takes one round trip after the sign-in", async () => {
  const file = await world.file(ada);
  await add(await world.file(ada));
  world.roundTrips.reset();
  await add(file);
  expect(world.roundTrips.count).toBe(2);
});

test("of many files what can be added is, and the rest is said", async () => {
  const good = await Promise.all(Array.from({ length: 120 }, (_, at) => world.file(ada, { name: `n${at}.txt` })));
  const pending = await world.file(ada, { state: "pending", name: "late.txt" });
  const twin = await world.file(ada, { text: "same" });
  const copy = await world.file(ada, { text: "same", name: "copy.txt" });
  const unknown = newId();
  const all = [...good, pending, twin, copy, unknown, good[0]!].map((id) => ({ file_id: id }));
  const { status, body } = await post("files/batch/add", all);
  expect(status).toBe(200);
  expect(body.file_count).toBe(121);
  expect(body.warnings?.entries).toEqual([
    { file_id: pending, code: "file_processing" },
    { file_id: copy, code: "duplicate_content", existing: { file_id: twin, filename: "tides.txt" } },
    { file_id: unknown, code: "not_found" },
  ]);
  expect(body.warnings?.errors).toHaveLength(3);
  expect((await post("files/batch/add", [])).status).toBe(422);
});

test("the same file, and the same content, added at the same time make one link", async () => {
  const file = await world.file(ada, { text: "one" });
  const copies = await Promise.all(Array.from({ length: 5 }, () => world.file(ada, { text: "one" })));
  const answers = await Promise.all([file, file, file, ...copies].map((id) => add(id)));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect((await list()).total).toBe(1);
});

describe("taking a file out", () => {
  const remove = (file: string, query = "", as: Person = ada) => post(`file/remove?${query}`, { file_id: file }, as);
  const isThere = async (file: string) => (await world.call(`/api/v1/files/${file}`, { as: ada })).status === 200;

  test("deletes one's own, unless it is kept, in another base, of a chat or what a model looks things up in", async () => {
    const [gone, kept, shared] = [await world.file(ada), await world.file(ada), await world.file(ada)];
    const other = await world.base(ada, { name: "Other" });
    for (const file of [gone, kept, shared]) await add(file);
    await world.call(`${path}/${other.id}/file/add`, { as: ada, json: { file_id: shared } });
    expect((await remove(gone)).body.file_count).toBe(2);
    expect((await remove(kept, "delete_file=false")).body.file_count).toBe(1);
    expect((await remove(shared)).body.file_count).toBe(0);
    expect([await isThere(gone), await isThere(kept), await isThere(shared)]).toEqual([false, true, true]);
    expect((await remove(gone)).status).toBe(404);
    expect((await remove(kept)).status).toBe(404);
  });

  test("leaves what is another's, also to administrators", async () => {
    const file = await world.file(ada);
    await add(file);
    expect((await remove(file, "", await world.admin())).status).toBe(200);
    expect(await isThere(file)).toBe(true);
  });

  test("deletes nothing that is not in the base", async () => {
    const file = await world.file(ada);
    expect((await remove(file)).status).toBe(404);
    expect(await isThere(file)).toBe(true);
  });

  test("keeps files where administrators chose so", async () => {
    await world.db.insert(settings).values({ name: "ENABLE_KNOWLEDGE_FILE_RETENTION", value: true, updatedAt: 0 });
    const [kept, gone] = [await world.file(ada), await world.file(ada)];
    await add(kept);
    await add(gone);
    await remove(kept);
    await remove(gone, "delete_file=true");
    expect([await isThere(kept), await isThere(gone)]).toEqual([true, false]);
    await world.db.delete(settings).where(eq(settings.name, "ENABLE_KNOWLEDGE_FILE_RETENTION"));
  });

  test("closes it to readers with the next request", async () => {
    const eve = await world.person();
    await world.call(`${path}/${base.id}/access/update`, {
      as: ada,
      json: { access_grants: [{ principal_type: "user", principal_id: eve.id, permission: "read" }] },
    });
    const file = await world.file(ada);
    await add(file);
    const read = async () => (await world.call(`/api/v1/files/${file}`, { as: eve })).status;
    expect(await read()).toBe(200);
    expect((await remove(file, "", eve)).status).toBe(403);
    await remove(file, "delete_file=false");
    expect(await read()).toBe(404);
  });
});

test("a base is emptied, with its directories unless they are to stay", async () => {
  const mine = await Promise.all(Array.from({ length: 12 }, () => world.file(ada)));
  const eve = await world.person();
  const foreign = await world.file(eve);
  await world.call(`${path}/${base.id}/access/update`, {
    as: ada,
    json: { access_grants: [{ principal_type: "user", principal_id: eve.id, permission: "write" }] },
  });
  await add(foreign, {}, eve);
  await post(
    "files/batch/add",
    mine.map((id, at) => ({ file_id: id, path: `d${at % 3}/f.txt` })),
  );
  const kept = await post<KnowledgeView>("reset?include_directories=false", {});
  expect(kept.body).toMatchObject({ id: base.id, file_count: 0 });
  expect((await list()).directories).toHaveLength(3);
  await post("reset", {});
  expect((await list()).directories).toEqual([]);
  expect((await world.call(`/api/v1/files/${mine[0]}`, { as: ada })).status).toBe(404);
  expect((await world.call(`/api/v1/files/${foreign}`, { as: eve })).status).toBe(200);
});

test("a base that is deleted takes along what is nowhere else", async () => {
  const [file, kept] = [await world.file(ada), await world.file(ada)];
  await add(file);
  const other = await world.base(ada, { name: "Other" });
  await add(kept);
  await world.call(`${path}/${other.id}/file/add`, { as: ada, json: { file_id: kept } });
  await world.call(`${path}/${base.id}/delete`, { method: "DELETE", as: ada });
  expect((await world.call(`/api/v1/files/${file}`, { as: ada })).status).toBe(404);
  expect((await world.call(`/api/v1/files/${kept}`, { as: ada })).status).toBe(200);
});

describe("the list of files", () => {
  test("is searched, sorted and cut into pages", async () => {
    for (const name of ["Tides.pdf", "ebb_100%.txt", "tables.csv"]) await add(await world.file(ada, { name }));
    const eve = await world.person();
    await world.call(`${path}/${base.id}/access/update`, {
      as: ada,
      json: { access_grants: [{ principal_type: "user", principal_id: eve.id, permission: "write" }] },
    });
    await add(await world.file(eve, { name: "eve.txt" }), {}, eve);
    expect(namesOf(await list("order_by=name"))).toEqual(["ebb_100%.txt", "eve.txt", "tables.csv", "Tides.pdf"]);
    expect(namesOf(await list("order_by=name&direction=desc&limit=2&page=2"))).toEqual(["eve.txt", "ebb_100%.txt"]);
    expect(namesOf(await list("query=ti%20pdf"))).toEqual(["Tides.pdf"]);
    expect(namesOf(await list("query=100%25"))).toEqual(["ebb_100%.txt"]);
    expect(namesOf(await list("view_option=shared"))).toEqual(["eve.txt"]);
    expect(await list("view_option=created&limit=1")).toMatchObject({ total: 3 });
    expect((await list("page=9")).items).toEqual([]);
    const { items } = await list("query=tables");
    expect(items[0]).toMatchObject({ directory_id: null, path: null, user: { id: ada.id, name: ada.name } });
    for (const wrong of ["page=0", "limit=9999", "order_by=secrets"])
      expect((await world.call(`${path}/${base.id}/files?${wrong}`, { as: ada })).status).toBe(422);
  });

  test("shows a directory with its way from the top", async () => {
    await add(await world.file(ada, { name: "top.txt" }));
    await add(await world.file(ada, { name: "deep.txt" }), { path: "a/b/deep.txt" });
    const { directories, items } = await list("directory_id=");
    expect(items.map(({ filename }) => filename)).toEqual(["top.txt"]);
    expect(directories.map(({ name }) => name)).toEqual(["a"]);
    const inside = await list(`directory_id=${directories[0]!.id}`);
    expect(inside).toMatchObject({ items: [], breadcrumbs: [{ name: "a" }], directories: [{ name: "b" }] });
    const inmost = await list(`directory_id=${inside.directories[0]!.id}`);
    expect(namesOf(inmost)).toEqual(["deep.txt"]);
    expect(inmost.breadcrumbs.map(({ name }) => name)).toEqual(["a", "b"]);
    expect(namesOf(await list(`directory_id=${directories[0]!.id}&query=deep`))).toEqual(["deep.txt"]);
    expect((await world.call(`${path}/${base.id}/files?directory_id=${newId()}`, { as: ada })).status).toBe(404);
  });
});

test("paths are as deep as directories may lie in each other, and no deeper", async () => {
  const names = Array.from({ length: maxDepth }, (_, level) => `level ${level}`);
  const file = await world.file(ada, { name: "deep.txt" });
  expect((await add(file, { path: [...names, "one more", "deep.txt"].join("/") })).status).toBe(422);
  expect((await add(file, { path: [...names, "deep.txt"].join("/") })).status).toBe(200);
  const again = await world.file(ada, { name: "again.txt" });
  await add(again, { path: [...names.slice(0, -1), "other", "again.txt"].join("/") });
  const { items, directories } = await list();
  expect(directories).toHaveLength(maxDepth + 1);
  const { breadcrumbs } = await list(`directory_id=${items.find(({ id }) => id === file)!.directory_id}`);
  expect(breadcrumbs.map(({ name }) => name)).toEqual(names);
});

describe("directories", () => {
  const make = (name: string, parent: string | null = null) =>
    post<DirectoryView & { code: string }>("dirs/create", { name, parent_id: parent });
  const change = (id: string, json: unknown) => post<DirectoryView & { code: string }>(`dirs/${id}/update`, json);

  test("have each name once in a place", async () => {
    const one = await make("harbour");
    expect(one).toMatchObject({ status: 200, body: { name: "harbour", parent_id: null, knowledge_id: base.id } });
    expect((await make("harbour")).status).toBe(409);
    expect((await make("harbour", one.body.id)).status).toBe(200);
    expect((await make("harbour", newId())).status).toBe(404);
    for (const name of ["", " ", "a/b", "..", "a\nb"]) expect((await make(name)).status).toBe(422);
    const two = await make("ships");
    expect((await change(two.body.id, { name: "harbour" })).status).toBe(409);
    expect((await change(two.body.id, { name: "boats" })).body.name).toBe("boats");
    expect((await change(newId(), { name: "boats" })).status).toBe(404);
  });

  test("move, but not into themselves, another base or too deep", async () => {
    const [a, b] = [(await make("a")).body.id, (await make("b")).body.id];
    expect((await change(b, { parent_id: a })).body.parent_id).toBe(a);
    expect((await change(a, { parent_id: b })).status).toBe(422);
    expect((await change(a, { parent_id: a })).status).toBe(422);
    expect((await change(b, { parent_id: null })).body.parent_id).toBeNull();
    const other = await world.base(ada, { name: "Other" });
    const foreign = await world.call<DirectoryView>(`${path}/${other.id}/dirs/create`, {
      as: ada,
      json: { name: "x" },
    });
    expect((await change(a, { parent_id: foreign.body.id })).status).toBe(404);
    let parent = a;
    const statuses: number[] = [];
    for (let level = 2; level <= 22; level++) {
      const made = await make(`l${level}`, parent);
      statuses.push(made.status);
      if (made.status === 200) parent = made.body.id;
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(19);
    expect(statuses.at(-1)).toBe(409);
    expect((await change(a, { parent_id: b })).status).toBe(409);
  });

  test("that go leave their files to the one above, or take them along", async () => {
    const [kept, gone] = [await world.file(ada, { name: "kept.txt" }), await world.file(ada, { name: "gone.txt" })];
    await add(kept, { path: "a/b/kept.txt" });
    await add(gone, { path: "c/d/gone.txt" });
    const { directories } = await list();
    const idOf = (name: string) => directories.find((each) => each.name === name)!.id;
    const remove = (name: string, query = "") =>
      world.call(`${path}/${base.id}/dirs/${idOf(name)}/delete?${query}`, { method: "DELETE", as: ada });
    expect((await remove("b")).status).toBe(200);
    expect(namesOf(await list(`directory_id=${idOf("a")}`))).toEqual(["kept.txt"]);
    expect((await remove("c", "move_files=false")).status).toBe(200);
    expect(namesOf(await list())).toEqual(["kept.txt"]);
    expect((await list()).directories.map(({ name }) => name)).toEqual(["a"]);
    expect((await remove("c")).status).toBe(404);
    expect((await world.call(`/api/v1/files/${gone}`, { as: ada })).status).toBe(404);
  });

  test("take files that are moved", async () => {
    const file = await world.file(ada);
    await add(file);
    const directory = (await make("a")).body.id;
    const move = (to: string | null, id = file) => post("file/move", { file_id: id, directory_id: to });
    expect(await move(directory)).toMatchObject({ status: 200, body: { status: true } });
    expect((await list(`directory_id=${directory}`)).total).toBe(1);
    expect((await move("")).status).toBe(200);
    expect((await list("directory_id=")).total).toBe(1);
    expect((await move(newId())).status).toBe(404);
    expect((await move(null, newId())).status).toBe(404);
  });
});

test("a file that could not be read is read again, any other is left as it is", async () => {
  const file = await world.file(ada);
  await add(file);
  expect((await post("file/update", { file_id: file })).status).toBe(200);
  const stateOf = async () => (await world.db.select().from(files).where(eq(files.id, file)))[0]!.state;
  expect(await stateOf()).toBe("completed");
  await world.db
    .update(files)
    .set({ state: "failed", errorCode: "file_timeout", error: "Late" })
    .where(eq(files.id, file));
  expect((await post("file/update", { file_id: file })).status).toBe(200);
  expect(await stateOf()).toBe("pending");
  expect((await post("file/update", { file_id: newId() })).status).toBe(404);
});
