import { setTimeout as wait } from "node:timers/promises";
import { type Parley, startParley } from "../../test/stack/start-parley.ts";
import { helloTool, signUp } from "./hello-tool.ts";
import { quantile, residentMb } from "./measure.ts";

/** Plugins that are in use. */
const count = 20;
/** What only looks at sources ends ten seconds later, and the launcher looks every quarter of a minute; ms. */
const untilTidyMs = 40_000;

/**
 * `npm run bench -- --plugin-memory [--quick]`: the resident memory of all processes while twenty Python plugins of one
 * administrator are in use, and what their first and later calls take.
 */
export async function benchPluginMemory(quick: boolean): Promise<void> {
  const parley = await startParley();
  try {
    const post = postAs(parley.url, await signUp(parley.url));
    const before = residentMb(parley);
    say("Before any plugin", parley, before);
    const ids: string[] = [];
    for (let n = 0; n < count; n++) {
      const id = `memory_${n}`;
      await post("/api/v1/tools/create", {
        id,
        name: id,
        meta: { description: "" },
        content: helloTool(`Hello ${n}`, `, says ${n}`),
      });
      ids.push(id);
    }
    say("After 20 sources were saved", parley, before);
    const call = async (id: string): Promise<number> => {
      const result = await post(`/api/v1/tools/id/${id}/try`, { method: "hello", args: { name: "you" } });
      if (result["ok"] !== true) throw new Error(`The plugin failed: ${JSON.stringify(result["error"])}`);
      return result["duration_ms"] as number;
    };
    const first: number[] = [];
    for (const id of ids) first.push(await call(id));
    say("After the first call of each", parley, before);
    const again: number[] = [];
    for (let round = 0; round < (quick ? 1 : 3); round++) for (const id of ids) again.push(await call(id));
    say("After more calls, one after another", parley, before);
    const warm: number[] = [];
    // Bursts, as a turn with several calls makes them.
    for (const id of ids) for (let n = 0; n < 10; n++) warm.push(await call(id));
    say("After ten calls of each in a row", parley, before);
    report("First calls", first);
    report("Calls of 20 in turn", again);
    report("Ten calls in a row", warm);
    await wait(untilTidyMs);
    say(`${untilTidyMs / 1000} s later`, parley, before);
  } finally {
    await parley.stop();
  }
}

function postAs(url: string, token: string) {
  return async (address: string, body: object): Promise<Record<string, unknown>> => {
    const response = await fetch(`${url}${address}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`POST ${address} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as Record<string, unknown>;
  };
}

function say(when: string, parley: Parley, before: number): void {
  const all = residentMb(parley);
  const plugins = `${(all - before).toFixed(0)} MB for plugins`;
  console.log(`${when.padEnd(40)} ${all.toFixed(0)} MB in ${parley.processes().length} processes, ${plugins}`);
}

function report(name: string, times: number[]): void {
  times.sort((a, b) => a - b);
  const at = (part: number) => quantile(times, part).toFixed(1);
  console.log(`${name.padEnd(40)} p50 ${at(0.5)} ms   p95 ${at(0.95)} ms   (${times.length})`);
}
