import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PythonHost, startPythonHost } from "./python-host.ts";

let host: PythonHost;
beforeAll(async () => {
  host = await startPythonHost();
}, 120_000);
afterAll(() => host.stop());

interface Saved {
  path: string;
  base: number;
  writer: string;
  serial: number;
  base64: string;
}

/** What the service does for one plugin, in memory. */
function keep() {
  const stored = new Map<string, { version: number; writer: string; base64: string }>();
  return {
    stored,
    rights: {
      "database.list": () => [...stored].map(([path, { version, writer }]) => ({ path, version, writer })),
      "database.load": ({ path }: Saved) => stored.get(path) ?? null,
      "database.save": ({ path, base, writer, base64 }: Saved) => {
        const version = stored.get(path)?.version ?? 0;
        if (version !== base) throw new Error(`The database ${path} was changed elsewhere at the same time`);
        stored.set(path, { version: version + 1, writer, base64 });
        return { version: version + 1 };
      },
      "database.delete": ({ path }: Saved) => stored.delete(path),
    },
  };
}

const notes = `import sqlite3, os
PATH = "/app/backend/data/notes.db"

class Tools:
    def __init__(self):
        self.db = sqlite3.connect(PATH, check_same_thread=False)
        self.db.execute("CREATE TABLE IF NOT EXISTS notes (text TEXT)")
        self.db.commit()
    def add(self, text: str) -> int:
        with self.db:
            self.db.execute("INSERT INTO notes VALUES (?)", (text,))
        return self.db.execute("SELECT count(*) FROM notes").fetchone()[0]
    def all(self) -> list:
        return [text for (text,) in self.db.execute("SELECT text FROM notes ORDER BY text")]
    def half(self) -> str:
        self.db.execute("INSERT INTO notes VALUES ('never committed')")
        raise ValueError("gives up")
    def wal(self) -> str:
        return self.db.execute("PRAGMA journal_mode=WAL").fetchone()[0]
    def other(self) -> list:
        here = sqlite3.connect(":memory:"), sqlite3.connect("/tmp/x.db"), sqlite3.connect("file:/app/backend/data/cache/u.db?mode=rwc", uri=True)
        for each in here:
            each.execute("CREATE TABLE t (x)")
            each.commit()
        return [os.path.exists("/tmp/x.db")]
    def drop(self) -> bool:
        self.db.close()
        os.remove(PATH)
        return True
`;

describe("a database of a plugin", { timeout: 60_000 }, () => {
  it("is there in the next isolate, with what calls have committed, and nothing else", async () => {
    const { stored, rights } = keep();
    const first = { rights, fingerprint: "notes-1" };
    expect(await host.call(notes, "add", { text: "one" }, first)).toMatchObject({ ok: true, value: 1 });
    expect(stored.get("notes.db")).toMatchObject({ version: 1 });
    const read = await host.call(notes, "all", {}, first);
    expect(read).toMatchObject({ value: ["one"] });
    expect(read.requests.map(([name]) => name)).toEqual(["database.list"]);
    expect(await host.call(notes, "half", {}, first)).toMatchObject({ ok: false, error: { message: "gives up" } });
    expect(await host.call(notes, "all", {}, { rights, fingerprint: "notes-2" })).toMatchObject({ value: ["one"] });
  });

  it("follows what another isolate saves, and refuses to overwrite it", async () => {
    const { stored, rights } = keep();
    const [one, two] = ["notes-1b", "notes-2b"].map((fingerprint) => ({ rights, fingerprint }));
    await host.call(notes, "add", { text: "a" }, one);
    expect(await host.call(notes, "add", { text: "b" }, two)).toMatchObject({ value: 2 });
    expect(await host.call(notes, "all", {}, one)).toMatchObject({ value: ["a", "b"] });
    // Saved by somebody else while the call runs.
    const meanwhile = { ...stored.get("notes.db")!, version: 7, writer: "other" };
    const racing = {
      ...rights,
      "database.list": () => (stored.set("notes.db", meanwhile), [{ path: "notes.db", version: 2, writer: "-" }]),
    };
    expect(await host.call(notes, "add", { text: "lost" }, { rights: racing, fingerprint: "notes-1b" })).toMatchObject({
      ok: false,
      error: {
        message:
          "What this call wrote to notes.db is not kept: The database notes.db was changed elsewhere at the same time",
      },
    });
    expect(await host.call(notes, "all", {}, one)).toMatchObject({ value: ["a", "b"] });
    expect(await host.call(notes, "add", { text: "c" }, one)).toMatchObject({ value: 3 });
    // Erased meanwhile.
    stored.clear();
    expect(await host.call(notes, "all", {}, one)).toMatchObject({ ok: false });
  });

  it("is kept below the folder for data only, also as an address, and goes when the plugin removes it", async () => {
    const { stored, rights } = keep();
    const options = { rights, fingerprint: "notes-3" };
    expect(await host.call(notes, "other", {}, options)).toMatchObject({ value: [true] });
    expect([...stored.keys()].sort()).toEqual(["cache/u.db", "notes.db"]);
    expect(await host.call(notes, "wal", {}, options)).toMatchObject({ ok: true });
    expect(await host.call(notes, "drop", {}, options)).toMatchObject({ value: true });
    expect([...stored.keys()]).toEqual(["cache/u.db"]);
  });

  it("is not seen by another plugin of the same process, under no path", async () => {
    const { rights } = keep();
    await host.call(notes, "add", { text: "secret" }, { rights, fingerprint: "notes-4" });
    const curious = `import os, sqlite3
class Tools:
    def look(self) -> list:
        found = [os.path.join(root, file) for root, _, files in os.walk("/") for file in files if file.endswith(".db")]
        here = sqlite3.connect("/app/backend/data/notes.db").execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
        named = sqlite3.connect("/app/backend/data/../../backend/data/notes.db").execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
        return [found, here, named]
`;
    const mine = keep();
    // The second isolate of a pair is in the process of the first one.
    const result = await host.call(curious, "look", {}, { rights: mine.rights, fingerprint: "curious" });
    expect(result).toMatchObject({ ok: true, value: [[], 0, 0] });
    expect(result.requests).toContainEqual(["database.load", { path: "notes.db" }]);
    expect(mine.stored.size).toBe(0);
  });

  it("is not asked for while a source is described", async () => {
    expect((await host.describe(notes)).problems).toEqual([]);
  });
});

describe("open_webui.internal.db", { timeout: 60_000 }, () => {
  it("needs sqlalchemy, and says so where it is used", async () => {
    const source = `from open_webui.internal.db import get_db, connect
class Tools:
    def ask(self) -> str:
        with get_db() as db:
            return "never"
    def plain(self) -> list:
        with connect() as db:
            db.execute("CREATE TABLE t (x)")
            db.execute("INSERT INTO t VALUES (1)")
        return db.execute("SELECT x FROM t").fetchall()
`;
    const { stored, rights } = keep();
    expect(await host.call(source, "ask", {}, { rights })).toMatchObject({
      ok: false,
      error: { package: "sqlalchemy" },
    });
    expect(await host.call(source, "plain", {}, { rights })).toMatchObject({ ok: true, value: [[1]] });
    expect([...stored.keys()]).toEqual(["webui.db"]);
  });
});
