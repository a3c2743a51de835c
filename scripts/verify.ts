import { execFile } from "node:child_process";
import path from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { projectRoot } from "./launch/project-root.ts";

/**
 * npm run verify: format, lint, types, unused code, the order of slices and the tests that need no database, two checks
 * at a time, the longest first. Only what fails is shown in full. `npm test` runs everything.
 */
const bin = path.join(projectRoot, "node_modules/.bin");
/** Tests of pure code and of the project itself: a second or less for each file. */
const quickTests = [
  "test/ui/",
  "test/lib/",
  "test/http/",
  "test/upstream/",
  "test/events/",
  "test/scim/filter/",
  "test/scim/patch/",
  "test/scripts/import-boundaries",
  "test/settings/",
  "test/docs/",
];
const checks: { name: string; command: string[]; isShown?: boolean }[] = [
  { name: "quick tests", command: ["vitest", "run", "--project", "node", "--reporter=dot", ...quickTests] },
  {
    name: "types of the UI",
    command: [
      "svelte-check",
      "--incremental",
      "--tsconfig",
      "tsconfig.ui.json",
      "--fail-on-warnings",
      "--output",
      "human",
    ],
  },
  { name: "types of the service and its tests", command: ["tsc", "-p", "tsconfig.json"] },
  { name: "types of the tools", command: ["tsc", "-p", "tsconfig.node.json"] },
  { name: "unused code", command: ["knip"] },
  { name: "format", command: ["node", "scripts/check-format.ts"] },
  { name: "imports between slices", command: ["node", "scripts/check-imports.ts"], isShown: true },
  { name: "lint", command: ["oxlint", "--deny-warnings"] },
];

async function run({ name, command: [tool = "", ...args], isShown }: (typeof checks)[number]): Promise<boolean> {
  const begin = performance.now();
  const seconds = () => `${((performance.now() - begin) / 1000).toFixed(1)} s`;
  try {
    const program = tool === "node" ? process.execPath : path.join(bin, tool);
    const { stdout } = await promisify(execFile)(program, args, { cwd: projectRoot, maxBuffer: 2 ** 26 });
    console.log(`ok      ${name} (${seconds()})${isShown ? `: ${stdout.trim()}` : ""}`);
    return true;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    console.log(`FAILED  ${name} (${seconds()})\n${`${stdout}${stderr}`.trim() || String(error)}\n`);
    return false;
  }
}

const begin = performance.now();
const waiting = [...checks];
let failed = 0;
async function work(): Promise<void> {
  for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
    if (!(await run(check))) failed += 1;
  }
}
await Promise.all([work(), work()]);
console.log(
  `${checks.length - failed} of ${checks.length} checks passed in ${((performance.now() - begin) / 1000).toFixed(0)} s`,
);
process.exitCode = failed > 0 ? 1 : 0;
