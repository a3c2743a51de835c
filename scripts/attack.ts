import process from "node:process";
import { floods } from "./attack/floods.ts";
import { startTarget, type Target } from "./attack/service.ts";
import { tries } from "./attack/tries.ts";
import { watchOthers } from "./attack/watch-others.ts";

/**
 * npm run attack [-- --seconds 60] [--only words] [--attackers 1]: starts a service on 127.0.0.1, makes the known tries,
 * which have to be refused, and the known floods, during each of which twenty others use it. For development; it attacks
 * nothing else.
 */
const seconds = Number(optionOf("--seconds") ?? 60);
const only = optionOf("--only") ?? "";

function optionOf(name: string): string | undefined {
  const at = process.argv.indexOf(name);
  return at === -1 ? undefined : process.argv[at + 1];
}

const during = (name: string, target: Target, run: (signal: AbortSignal) => Promise<void>) => {
  const signal = AbortSignal.timeout(seconds * 1000);
  return Promise.all([watchOthers(target, signal), run(signal)]).then(([noticed]) => {
    const { requests, lost, p50, p99, memory } = noticed;
    const numbers = `p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, ${lost.length} of ${requests} lost`;
    console.log(`${name}: ${numbers}, ${Math.round(memory / 1e6)} MB`);
    for (const each of new Set(lost)) console.log(`    ${each}`);
  });
};

const target = await startTarget(Number(optionOf("--attackers") ?? 1), 20);
try {
  let held = 0;
  for (const each of tries) {
    const { status, text } = await each.send(target);
    if (each.refused.includes(status)) held++;
    else {
      console.log(`NOT REFUSED  ${each.name}: ${status} ${text.slice(0, 200)}`);
      process.exitCode = 1;
    }
  }
  console.log(`${held} of ${tries.length} tries were refused`);
  await during("quiet", target, () => Promise.resolve());
  for (const flood of floods.filter(({ name }) => name.includes(only)))
    await during(flood.name, target, (signal) => flood.run(target, signal));
} finally {
  await target.parley.stop();
}
