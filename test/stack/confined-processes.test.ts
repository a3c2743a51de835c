import { readFileSync, readdirSync, readlinkSync } from "node:fs";
import process from "node:process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Confinement } from "../../scripts/launch/workerd/confinement.ts";
import { type Parley, type RunningProcess, startParley } from "./start-parley.ts";

let parley: Parley;
let token: string;
const person = { name: "Ada", email: "ada@harbour.example", password: "correct horse battery" };
beforeAll(async () => {
  parley = await startParley({ env: { OPENAI_API_KEYS: "sk-of-the-machine" } });
  ({ token } = await call<{ token: string }>("/api/v1/auths/signup", person));
});
afterAll(() => parley.stop());

async function call<T>(path: string, body?: object | FormData): Promise<T> {
  const isForm = body instanceof FormData;
  const response = await fetch(parley.url + path, {
    method: body ? "POST" : "GET",
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body && !isForm ? { "content-type": "application/json" } : {}),
    },
    ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

const level = await (async () => {
  const confinement = new Confinement([], process.cwd());
  await confinement.probe();
  return confinement.level;
})();

/** The processes of a kind, by the beginning of their sockets' names. */
const named = (kind: string): RunningProcess[] =>
  parley.processes().filter(({ command }) => new RegExp(`workerd serve .*/${kind}\\d*\\.sock`).test(command));

function namespacesOf(pid: number | "self"): Record<string, string> {
  return Object.fromEntries(
    ["user", "mnt", "net", "ipc"].map((name) => [name, readlinkSync(`/proc/${pid}/ns/${name}`)]),
  );
}

test.runIf(level === "walls")(
  "processes for foreign code, documents and passwords are behind walls, and work",
  async () => {
    await call("/api/v1/functions/create", {
      id: "harbour",
      name: "Harbour",
      content: "class Pipe:\n    def pipe(self, body: dict):\n        return 'The harbour is open'\n",
      meta: { description: "" },
    });
    await call("/api/v1/functions/id/harbour/toggle", {});
    const answer = await call<{ choices: { message: { content: string } }[] }>("/api/chat/completions", {
      model: "harbour",
      messages: [{ role: "user", content: "Open?" }],
    });
    expect(answer.choices[0]!.message.content).toBe("The harbour is open");

    const form = new FormData();
    form.set("file", new File(["<h1>Tides</h1><p>High at noon</p>"], "tides.html", { type: "text/html" }));
    const { id } = await call<{ id: string }>("/api/v1/files/", form);
    await expect
      .poll(() => call<{ data: { content?: string } }>(`/api/v1/files/${id}`).then(({ data }) => data.content), {
        timeout: 30_000,
      })
      .toContain("High at noon");

    // Its process ends when nobody signs in for a while.
    await call("/api/v1/auths/signin", person);
    const ours = namespacesOf("self");
    for (const [kind, hasNetwork] of [
      ["p", true],
      ["documents", false],
      ["passwords", false],
    ] as const) {
      const found = named(kind);
      expect([kind, found.length > 0]).toEqual([kind, true]);
      for (const { pid } of found) {
        const status = readFileSync(`/proc/${pid}/status`, "utf8");
        expect(status).toMatch(/NoNewPrivs:\t1/);
        expect(status).toMatch(/CapEff:\t0+\n/);
        expect(status).toMatch(/CapBnd:\t0+\n/);
        const { user, mnt, net } = namespacesOf(pid);
        expect([user === ours["user"], mnt === ours["mnt"], net === ours["net"]]).toEqual([false, false, hasNetwork]);
        // As the process sees it.
        expect(readdirSync(`/proc/${pid}/root${parley.dataDir}`)).toEqual([]);
        expect(readFileSync(`/proc/${pid}/environ`, "utf8")).not.toContain("sk-of-the-machine");
      }
    }
    expect(parley.output).toContain("What processes for plugins, documents and passwords lack: privileges, the files");
  },
  120_000,
);
