import { setTimeout as wait } from "node:timers/promises";
import { makeWheel } from "../../test/plugins/wheels.ts";
import { type Parley, startParley } from "../../test/stack/start-parley.ts";
import { helloTool, signUp } from "./hello-tool.ts";
import { quantile, sequential } from "./measure.ts";

/**
 * `npm run bench -- --plugins [--quick]`: what calls of plugins take in the started service, as the service itself measures them
 * (`duration_ms` of a test run: from the decision to call until the result), and what others notice of plugins that loop.
 * @param upstream address of bench/upstream.ts
 */
export async function benchPlugins(quick: boolean, upstream: string): Promise<void> {
  const parley = await startParley({ env: { OPENAI_API_BASE_URLS: upstream, OPENAI_API_KEYS: "sk-bench" } });
  try {
    const bench = new PluginBench(parley, await signUp(parley.url));
    const runs = quick ? 50 : 300;
    const cold = quick ? 8 : 20;
    console.log("Calls, milliseconds");
    await bench.warm("JavaScript, warm", javascript, runs);
    await bench.coldIsolates("JavaScript, cold isolate", javascript, cold);
    await bench.coldProcesses("JavaScript, cold, process too", javascript, cold);
    await bench.warm("Python, warm", python, runs);
    await bench.coldIsolates("Python, cold isolate", python, cold);
    await bench.coldProcesses("Python, cold, process too", python, Math.min(cold, 6));
    await bench.coldIsolates("Python without imports, cold isolate", plainPython, cold);
    await bench.coldProcesses("Python without imports, cold, process too", plainPython, Math.min(cold, 6));
    await bench.addPackages(packages);
    await bench.coldIsolates(`Python, cold isolate, ${packages} packages there`, python, cold);
    await bench.coldIsolates(`Python without imports, ${packages} packages there`, plainPython, cold);
    await bench.coldIsolates(`Python with 5 of ${packages} packages`, packagedPython, cold);
    await bench.warm(`Python with 5 of ${packages} packages, warm`, packagedPython, runs);
    await bench.events("1,000 events, each awaited", 1000);
    await bench.filter("A filter on each completion", upstream, quick ? 200 : 1000);
    await bench.loops("GET /health while 20 calls of 3 plugins loop");
  } finally {
    await parley.stop();
  }
}

/** Packages that the service has, as one has that many plugins use. */
const packages = 100;

const python = helloTool("Hello");
const plainPython = `class Tools:
    def hello(self, name: str) -> str:
        return "Hello " + name
`;
const packagedPython = `import bench_0.part_0, bench_1.part_1, bench_2.part_2, bench_3.part_3, bench_4.part_4
${plainPython}`;

const javascript = `export class Tools {
  hello(name: string) { return "Hello " + name }
  async emit(count: number, __event_emitter__) {
    for (let n = 0; n < count; n++) await __event_emitter__({ type: "status", data: { description: "step " + n, done: true } });
  }
  spin() { for (;;); }
}`;

const filter = `export class Filter { inlet(body) { return body } }`;

interface Trial {
  ok: boolean;
  error: { code: string; message: string } | null;
  duration_ms: number;
}

class PluginBench {
  readonly #parley: Parley;
  readonly #token: string;
  #ids = 0;

  constructor(parley: Parley, token: string) {
    this.#parley = parley;
    this.#token = token;
  }

  async warm(name: string, source: string, runs: number): Promise<void> {
    const id = await this.#create(source);
    for (let n = 0; n < 5; n++) await this.#hello(id, {});
    const times: number[] = [];
    for (let n = 0; n < runs; n++) times.push(await this.#hello(id, {}));
    report(name, times);
  }

  /** The process runs; each source is a little different, so that each has an isolate of its own. */
  async coldIsolates(name: string, source: string, runs: number): Promise<void> {
    const id = await this.#create(source);
    await this.#hello(id, {});
    const comment = source.startsWith("export") ? "//" : "#";
    const times: number[] = [];
    for (let n = 0; n < runs; n++) times.push(await this.#hello(id, { content: `${source}\n${comment} ${n}` }));
    report(name, times);
  }

  /** First calls of plugins that nobody has used yet: a process stands ready. */
  async coldProcesses(name: string, source: string, runs: number): Promise<void> {
    const times: number[] = [];
    for (let n = 0; n < runs; n++) {
      const id = await this.#create(source);
      // So long after the last one that the next process stands ready.
      await wait(1500);
      times.push(await this.#hello(id, {}));
    }
    report(name, times);
  }

  /** Each with twenty modules of about 10 kB. */
  async addPackages(count: number): Promise<void> {
    for (let n = 0; n < count; n++) {
      const name = `bench_${n}`;
      const modules = Array.from({ length: 20 }, (_, part): [string, string] => [
        `${name}/part_${part}.py`,
        Array.from(
          { length: 130 },
          (_, at) => `def function_${at}(value):\n    return value + ${n + part + at}, "a text of this line"\n`,
        ).join(""),
      ]);
      const form = new FormData();
      form.set(
        "file",
        new Blob([makeWheel(name, "1.0.0", Object.fromEntries(modules))]),
        `${name}-1.0.0-py3-none-any.whl`,
      );
      const headers = { authorization: `Bearer ${this.#token}` };
      const response = await fetch(`${this.#parley.url}/api/v1/plugins/packages`, {
        method: "POST",
        headers,
        body: form,
      });
      if (!response.ok) throw new Error(`A package was refused: ${response.status} ${await response.text()}`);
    }
  }

  async events(name: string, count: number): Promise<void> {
    const id = await this.#create(javascript);
    await this.#hello(id, {});
    const times: number[] = [];
    for (let n = 0; n < 5; n++) times.push(await this.#try(id, { method: "emit", args: { count } }));
    report(name, times);
  }

  /** What a completion takes without and with a global filter. */
  async filter(name: string, upstream: string, runs: number): Promise<void> {
    const headers = { authorization: `Bearer ${this.#token}` };
    const direct = await sequential({ name: "direct", url: `${upstream}/chat/completions`, headers }, runs);
    const target = { name: "parley", url: `${this.#parley.url}/api/chat/completions`, headers };
    await sequential(target, 50);
    const without = await sequential(target, runs);
    const id = `filter_${++this.#ids}`;
    await this.#post("/api/v1/functions/create", { id, name: id, meta: { description: "" }, content: filter });
    await this.#post(`/api/v1/functions/id/${id}/toggle`, {});
    await this.#post(`/api/v1/functions/id/${id}/toggle/global`, {});
    await sequential(target, 50);
    const filtered = await sequential(target, runs);
    const at = (times: number[]) => quantile(times, 0.5).toFixed(1);
    console.log(`${name}: p50 direct ${at(direct)}, without ${at(without)}, with ${at(filtered)}`);
  }

  async loops(name: string): Promise<void> {
    const ids = [await this.#create(javascript), await this.#create(javascript), await this.#create(javascript)];
    const over = new AbortController();
    const spinning = Array.from({ length: 20 }, (_, n) =>
      this.#post<Trial>(`/api/v1/tools/id/${ids[n % 3]!}/try`, { method: "spin", args: {} }),
    );
    const ended = Promise.all(spinning).finally(() => over.abort());
    const times: number[] = [];
    while (!over.signal.aborted) {
      const began = performance.now();
      await (await fetch(`${this.#parley.url}/health`)).arrayBuffer();
      times.push(performance.now() - began);
      await wait(10);
    }
    report(name, times);
    const codes = (await ended).map(({ error }) => error?.code ?? "ended");
    console.log(
      `  their ends: ${[...new Set(codes)].map((code) => `${codes.filter((each) => each === code).length} ${code}`).join(", ")}`,
    );
  }

  async #create(content: string): Promise<string> {
    const id = `bench_${++this.#ids}`;
    await this.#post("/api/v1/tools/create", { id, name: id, meta: { description: "" }, content });
    return id;
  }

  #hello(id: string, trial: object): Promise<number> {
    return this.#try(id, { method: "hello", args: { name: "you" }, ...trial });
  }

  /** @returns milliseconds. @throws Error when the call failed */
  async #try(id: string, trial: object): Promise<number> {
    const result = await this.#post<Trial>(`/api/v1/tools/id/${id}/try`, trial);
    if (!result.ok) throw new Error(`The plugin failed: ${JSON.stringify(result.error)}`);
    return result.duration_ms;
  }

  async #post<T>(address: string, body: object): Promise<T> {
    const response = await fetch(`${this.#parley.url}${address}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${this.#token}` },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`POST ${address} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  }
}

function report(name: string, times: number[]): void {
  times.sort((a, b) => a - b);
  const at = (part: number) => quantile(times, part).toFixed(1);
  console.log(`${name.padEnd(46)} p50 ${at(0.5)}   p95 ${at(0.95)}   p99 ${at(0.99)}   (${times.length})`);
}
