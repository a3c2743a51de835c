import { execFile, execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Guard } from "../../scripts/launch/guard.ts";
import { projectRoot } from "../../scripts/launch/project-root.ts";
import { compileConfig } from "../../scripts/launch/workerd/compile-config.ts";
import { canCountThreads, Confinement } from "../../scripts/launch/workerd/confinement.ts";
import { WorkerdChild } from "../../scripts/launch/workerd/workerd-child.ts";

let root: string;
let data: string;
let scratch: string;
let own: string;
let confinement: Confinement;
beforeAll(async () => {
  root = mkdtempSync(path.join(tmpdir(), "parley-confined-"));
  [data, scratch] = [path.join(root, "data"), path.join(root, "scratch")];
  own = path.join(scratch, "p1");
  for (const folder of [data, own, path.join(scratch, "p2")]) mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(data, "secrets.json"), "the keys");
  writeFileSync(path.join(scratch, "control.sock"), "control");
  confinement = new Confinement([data], scratch);
  await confinement.probe();
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** What a command prints in a process as confined as those of plugins or documents; its error where it fails. */
function run(needs: { network: boolean }, ...command: string[]): Promise<string> {
  const [program = "", ...args] = [...confinement.prefix(own, { ...needs, maxOpenFiles: 64 }), ...command];
  const env = { PATH: process.env["PATH"] };
  return new Promise((resolve) => {
    execFile(program, args, { env, timeout: 10_000 }, (error, stdout, stderr) =>
      resolve(error ? `failed: ${stderr || error.message}` : stdout),
    );
  });
}

const runNode = (needs: { network: boolean }, code: string) => run(needs, process.execPath, "-e", code);
/** Whether the system allows all of it. */
const hasTools = await new Promise<boolean>((resolve) => {
  const inside = "mount -t tmpfs tmpfs /tmp && setpriv --version && prlimit --version";
  execFile("unshare", ["--user", "--map-root-user", "--mount", "--net", "sh", "-c", inside], (error) =>
    resolve(error === null),
  );
});

describe.runIf(process.platform === "linux")("a confined process", () => {
  test("is as confined as the system allows", () => {
    expect(confinement.level === "walls").toBe(hasTools);
    expect(confinement.words).not.toBe("");
  });

  test.runIf(hasTools)("has no privileges, and cannot get any", async () => {
    const status = await run({ network: true }, "cat", "/proc/self/status");
    for (const set of ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"])
      expect(status).toMatch(new RegExp(`${set}:\\t0+\\n`));
    expect(status).toContain("NoNewPrivs:\t1");
    expect(await run({ network: true }, "umount", data)).toMatch(/^failed/);
    const inside = "umount $0; cat $0/secrets.json";
    const again = await run(
      { network: true },
      "unshare",
      "--user",
      "--map-root-user",
      "--mount",
      "sh",
      "-c",
      inside,
      data,
    );
    expect(again).toMatch(/^failed/);
    expect(again).not.toContain("the keys");
  });

  test.runIf(hasTools)("makes no folder again that has been removed", async () => {
    const removed = path.join(root, "removed");
    mkdirSync(removed);
    const later = new Confinement([removed], scratch);
    await later.probe();
    rmSync(removed, { recursive: true });
    const [program = "", ...args] = later.prefix(own, { network: true, maxOpenFiles: 64 });
    expect(execFileSync(program, [...args, "echo", "runs"], { encoding: "utf8" })).toBe("runs\n");
    expect(existsSync(removed)).toBe(false);
  });

  test.runIf(hasTools)("sees no file of the service, and no socket but its own", async () => {
    const list = (folder: string) =>
      runNode({ network: true }, `process.stdout.write(require("fs").readdirSync(${JSON.stringify(folder)}).join())`);
    expect(await list(data)).toBe("");
    expect(await list(scratch)).toBe("p1");
    expect(await run({ network: true }, "cat", path.join(data, "secrets.json"))).toMatch(/^failed: .*No such file/);
    // Through another process that sees them.
    for (const file of [`root${data}/secrets.json`, "environ", "mem", "maps", "cwd/package.json", "fd/0"])
      expect(await run({ network: true }, "head", "-c", "1", `/proc/${process.pid}/${file}`)).toMatch(/^failed/);
    writeFileSync(path.join(own, "before"), "");
    expect(await run({ network: true }, "sh", "-c", `echo written > ${own}/after; ls ${own}`)).toBe("after\nbefore\n");
    expect(readFileSync(path.join(own, "after"), "utf8")).toBe("written\n");
    expect(readFileSync(path.join(data, "secrets.json"), "utf8")).toBe("the keys");
  });

  test.runIf(hasTools)("opens no connection where it needs none, not to this machine either", async () => {
    const server = createServer((socket) => socket.end("reached")).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const call = `require("net").connect(${port}, "127.0.0.1").on("data", (bytes) => process.stdout.write(bytes)).on("error", (error) => process.stdout.write(error.code))`;
    expect(await runNode({ network: false }, call)).toMatch(/^E(?:NETUNREACH|CONNREFUSED)$/);
    expect(await runNode({ network: true }, call)).toBe("reached");
    server.close();
  });

  test.runIf(hasTools)("leaves no core file, and has few files and threads", async () => {
    const limits = await run({ network: true }, "cat", "/proc/self/limits");
    expect(limits).toMatch(/Max core file size\s+0\s+0/);
    expect(limits).toMatch(/Max open files\s+64\s+64/);
    expect(limits).toMatch(/Max processes\s+128\s+128/);
  });

  test("gets no variable but those it needs, and starts about as fast", async () => {
    const worker = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [(name = "main.js", esModule = "export default { fetch() { return new Response('here') } }")],
    compatibilityDate = "2025-06-01"))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`;
    const configuration = await compileConfig(path.join(root, "main.capnp"), worker);
    const guard = new Guard(path.join(root, "children"), mkdtempSync(path.join(root, "guard-")));
    const time = async (confine?: (folder: string) => readonly string[]) => {
      const times: number[] = [];
      for (let count = 0; count < 5; count++) {
        const begin = performance.now();
        const child = new WorkerdChild(configuration, path.join(scratch, `t${count}`, "http.sock"), guard, confine);
        await child.ready;
        times.push(performance.now() - begin);
        const environment = readFileSync(`/proc/${child.pid}/environ`, "utf8")
          .split("\0")
          .map((each) => each.split("=")[0]);
        expect(
          environment.filter((name) => !["", "PATH", "TZ", "PWD", "OLDPWD", "SHLVL", "_"].includes(name!)),
        ).toEqual([]);
        child.kill();
        await child.ended;
      }
      return times.toSorted((one, other) => one - other)[2]!;
    };
    const usual = await time();
    const confined = await time((folder) => confinement.prefix(folder, { network: false, maxOpenFiles: 256 }));
    guard.close();
    expect(confined - usual).toBeLessThan(150);
  });
});

describe.runIf(process.platform === "linux")("where tools are missing or the system forbids more", () => {
  /** With only these tools on the PATH; `unshare` fails as in a container that forbids namespaces. */
  async function levelWith(tools: string[]): Promise<Confinement> {
    const bin = mkdtempSync(path.join(root, "bin-"));
    const usual = process.env["PATH"];
    for (const tool of tools) {
      const found = execFileSync("sh", ["-c", `command -v ${tool}`], { encoding: "utf8" }).trim();
      symlinkSync(found, path.join(bin, tool));
    }
    writeFileSync(path.join(bin, "unshare"), "#!/bin/sh\necho 'Operation not permitted' >&2\nexit 1\n", {
      mode: 0o755,
    });
    const made = new Confinement([data], scratch);
    try {
      process.env["PATH"] = bin;
      await made.probe();
    } finally {
      process.env["PATH"] = usual;
    }
    return made;
  }

  test.runIf(hasTools)("privileges go at least", async () => {
    const less = await levelWith(["setpriv", "prlimit", "sh"]);
    expect(less.level).toBe("privileges");
    const [program = "", ...args] = less.prefix(own, { network: false, maxOpenFiles: 64 });
    const status = execFileSync(program, [...args, "cat", "/proc/self/status", "/proc/self/limits"], {
      encoding: "utf8",
    });
    expect(status).toContain("NoNewPrivs:\t1");
    expect(status).toMatch(/CapEff:\t0+\n/);
    expect(status).toMatch(/Max core file size\s+0\s+0/);
  });

  test("processes start as before", async () => {
    const less = await levelWith([]);
    expect([less.level, less.prefix(own, { network: false, maxOpenFiles: 64 })]).toEqual(["none", []]);
  });
});

test("folders from which something has to be started stay", async () => {
  const all = new Confinement(["/", path.dirname(projectRoot), projectRoot, data], scratch);
  await all.probe();
  expect(all.level).toBe(confinement.level);
});

test.each([
  ["5.10.0-28-amd64", false],
  ["5.14.0-427.el9.x86_64", true],
  ["6.8.0-45-generic", true],
  ["4.18.0", false],
])("threads are limited where Linux %s counts them in each namespace: %s", (version, expected) => {
  expect(canCountThreads(version)).toBe(expected);
});
