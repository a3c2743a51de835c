import process from "node:process";
import { parseArgs } from "node:util";
import { levelLine, runHealthLevels } from "../monitor/parley-smoke.mjs";
import { describeBundle, measureBundle } from "./edge/bundle-size.ts";
import { Cloudflare } from "./edge/cloudflare.ts";
import { DeploymentFile } from "./edge/deployment-file.ts";
import { type Deployment, planSteps } from "./edge/steps.ts";
import { readVersions, useVersions } from "./edge/versions.ts";
import { edgeWorkers } from "./edge/workers.ts";
import { ensureUi, linkUi } from "./launch/build.ts";
import { ensurePythonAssets, linkPythonAssets } from "./launch/python-assets.ts";
import { complain, say } from "./launch/say.ts";
import { exitCodes, StartError } from "./launch/start-error.ts";
import { readVersion } from "./launch/version.ts";

/**
 * npm run deploy [-- --dry-run | --rollback] [--wait SECONDS]: brings everything that Parley needs to a Cloudflare account, however
 * much of it is there. A dry run shows all steps, without an account too, and builds every Worker. A deployment whose service does
 * not answer in time is taken back.
 */

async function dryRun(file: DeploymentFile): Promise<void> {
  let cloudflare: Cloudflare | undefined;
  try {
    cloudflare = await Cloudflare.signIn();
    say(`Account: ${cloudflare.accountName}`);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    say(`Account: not known, so neither is what it has. ${error.message}`);
  }
  const deployment = { cloudflare: cloudflare!, file, commit: null, targets: [] };
  for (const step of planSteps(deployment)) {
    const found = cloudflare && (await step.find());
    say(`${step.title}: ${found ?? `would ${step.plan}`}`);
  }
  say("Smoke levels: would run against the deployed service");
  for (const worker of edgeWorkers) {
    const size = await measureBundle(worker);
    say(`Built ${describeBundle(worker, size)}`);
    if (size > worker.maxBytes) process.exitCode = 1;
  }
}

/** @param waitMs how long the new versions may take until they answer */
async function deploy(file: DeploymentFile, waitMs: number): Promise<number> {
  const cloudflare = await Cloudflare.signIn();
  say(`Account: ${cloudflare.accountName}`);
  const { commit } = await readVersion();
  const before = await readVersions(cloudflare);
  const deployment: Deployment = { cloudflare, file, commit, targets: [] };
  let exitCode: number = exitCodes.unavailable;
  try {
    for (const step of planSteps(deployment)) {
      const found = await step.find();
      say(`${step.title}: ${found ?? (await step.make())}`);
    }
    const url = findUrl(deployment);
    if ((await smoke(url, waitMs)) === 0) {
      say(
        `Parley is deployed on ${url}. As long as it has no accounts, the first person to sign up becomes its administrator.`,
      );
      return 0;
    }
    complain("The service does not answer as it should.");
  } catch (error) {
    complain((error as Error).message);
    if (error instanceof StartError) ({ exitCode } = error);
  }
  const current = await readVersions(cloudflare);
  const changed = [...before].filter(([name, { current: version }]) => current.get(name)?.current !== version);
  if (changed.length > 0) {
    complain("Going back to the versions that ran before. The database stays migrated: they can use it.");
    await useVersions(cloudflare, new Map(changed.map(([name, { current: version }]) => [name, version])), complain);
  }
  return exitCode;
}

function findUrl({ file, targets }: Deployment): string {
  const url = [file.values["WEBUI_URL"], ...targets].find((target) => target?.startsWith("http"));
  if (url === undefined)
    throw new StartError("The deployed service has no address: set WEBUI_URL to that of its route.", "configuration");
  return url.replace(/\/$/, "");
}

/** @returns 0 when every level passed that can be asked */
async function smoke(url: string, waitMs: number): Promise<number> {
  const end = Date.now() + waitMs;
  while ((await fetch(`${url}/health`).catch(() => undefined))?.status !== 200 && Date.now() < end)
    await new Promise((resolve) => setTimeout(resolve, 1000));
  const key = process.env["PARLEY_KEY"]?.trim() ?? "";
  const upTo = key === "" ? 1 : 3;
  const { failed_level: failed } = await runHealthLevels({ url, key, word: "pong", timeoutMs: 60_000, upTo }, (level) =>
    say(levelLine(level)),
  );
  if (failed === null && key === "") say("Levels 2 and 3 need an API key: set PARLEY_KEY to run them too.");
  return failed ?? 0;
}

async function rollBack(): Promise<void> {
  const cloudflare = await Cloudflare.signIn();
  const found = [...(await readVersions(cloudflare))];
  const versions = new Map(found.flatMap(([name, { previous }]) => (previous ? [[name, previous] as const] : [])));
  if (versions.size === 0) throw new StartError("No Worker has a version to go back to.", "unavailable");
  await useVersions(cloudflare, versions, say);
}

try {
  const { values } = parseArgs({
    options: {
      "dry-run": { type: "boolean" },
      rollback: { type: "boolean" },
      wait: { type: "string", default: "60" },
    },
  });
  if (values.rollback) await rollBack();
  else {
    const file = new DeploymentFile(process.env);
    linkUi(await ensureUi());
    linkPythonAssets(await ensurePythonAssets());
    if (values["dry-run"]) await dryRun(file);
    else process.exitCode = await deploy(file, Number(values.wait) * 1000);
  }
} catch (error) {
  complain((error as Error).message);
  process.exitCode = error instanceof StartError ? error.exitCode : exitCodes.usage;
}
