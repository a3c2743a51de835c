import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { environmentNames, parseEnvironment, SettingError } from "../../src/compose/parse-environment.ts";
import { runtimeConfigText } from "./runtime-config.ts";
import type { RuntimePlan } from "./runtime-plan.ts";
import { trustedAuthorities } from "./trusted-authorities.ts";
import { readUiFiles } from "./ui-files.ts";
import { compileConfig } from "./workerd/compile-config.ts";

/**
 * Checks the settings, and turns a RuntimePlan (JSON on standard input) into the configuration that workerd reads. A process of its
 * own: what it loads would stay for good in the launcher. Exit code 2: variables have wrong values, said on standard error. A line
 * on standard output: all are right.
 */
try {
  // First of all, while the launcher still builds: a wrong variable is told at once.
  parseEnvironment(process.env);
} catch (error) {
  if (!(error instanceof SettingError)) throw error;
  process.stderr.write(error.message);
  process.exit(2);
}

process.stdout.write("The settings are right.\n");

const plan = JSON.parse(await text(process.stdin)) as RuntimePlan;
const given = environmentNames.filter((name) => (process.env[name] ?? "") !== "");
const settings = Object.fromEntries(given.map((name) => [name, process.env[name] ?? ""]));
const authorities = trustedAuthorities(process.env["NODE_EXTRA_CA_CERTS"]);
const written = path.join(plan.scratch, "service.capnp");
try {
  const config = runtimeConfigText(plan, settings, readUiFiles(plan.assets), authorities);
  writeFileSync(plan.output, await compileConfig(written, config), { mode: 0o600 });
} finally {
  // It holds secrets too.
  rmSync(written, { force: true });
}
