import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { environmentNames } from "../../src/compose/parse-environment.ts";
import { projectRoot } from "../launch/project-root.ts";
import { exitCodes, firstLine, StartError } from "../launch/start-error.ts";
import type { Cloudflare } from "./cloudflare.ts";
import type { DeploymentFile } from "./deployment-file.ts";
import { createDatabase, readTurso } from "./turso.ts";
import { bucket, type EdgeWorker, edgeWorkers, queues, service } from "./workers.ts";
import { runWrangler, WranglerError } from "./wrangler.ts";

/** Something that has to be there, or be done. */
export interface Step {
  title: string;
  /** What was found; undefined when it has to be made. */
  find(): Promise<string | undefined>;
  /** What a dry run says in place of making it. */
  plan: string;
  /** @returns what was made */
  make(): Promise<string>;
}

export interface Deployment {
  cloudflare: Cloudflare;
  file: DeploymentFile;
  /** The commit that is deployed, where it is known. */
  commit: string | null;
  /** Addresses at which the service answers, filled in by its deployment. */
  targets: string[];
}

/** Everything up to the deployed Workers, in order; each step can be repeated. */
export function planSteps(deployment: Deployment): Step[] {
  const { cloudflare } = deployment;
  return [
    planStep(cloudflare),
    bucketStep(cloudflare),
    ...queues.map((name) => queueStep(cloudflare, name)),
    databaseStep(deployment),
    keysStep(deployment),
    schemaStep(deployment),
    ...edgeWorkers.map((worker) => workerStep(deployment, worker)),
    leftoverStep(deployment),
  ];
}

/** Isolates of plugins need Workers Paid. What cannot be seen is found out by the plugin host, which is deployed first. */
function planStep(cloudflare: Cloudflare): Step {
  return {
    title: "Plan",
    plan: "look whether it is Workers Paid",
    async find() {
      let subscriptions;
      try {
        subscriptions = await cloudflare.ask<{ rate_plan?: { id?: string; public_name?: string } }[]>(
          "GET",
          "/subscriptions",
        );
      } catch {
        return "this token cannot read it; the plugin host needs Workers Paid";
      }
      const names = subscriptions.map(({ rate_plan: plan }) => `${plan?.id ?? ""} ${plan?.public_name ?? ""}`);
      return names.some((name) => /workers/i.test(name) && !/free/i.test(name))
        ? "Workers Paid"
        : "no Workers Paid plan found; without one Cloudflare refuses the plugin host";
    },
    make: () => Promise.resolve(""),
  };
}

function bucketStep(cloudflare: Cloudflare): Step {
  return {
    title: `Bucket ${bucket}`,
    plan: "create it",
    find: async () => ((await cloudflare.find(`/r2/buckets/${bucket}`)) === undefined ? undefined : "is there"),
    async make() {
      await cloudflare.ask("POST", "/r2/buckets", { name: bucket });
      return "created";
    },
  };
}

function queueStep(cloudflare: Cloudflare, name: string): Step {
  return {
    title: `Queue ${name}`,
    plan: "create it",
    find: async () => (await findQueue(cloudflare, name)) && "is there",
    async make() {
      await cloudflare.ask("POST", "/queues", { queue_name: name });
      return "created";
    },
  };
}

/** @returns its id */
export async function findQueue(cloudflare: Cloudflare, name: string): Promise<string | undefined> {
  const found = await cloudflare.ask<{ queue_id: string; queue_name: string }[]>("GET", `/queues?name=${name}`);
  return found.find((queue) => queue.queue_name === name)?.queue_id;
}

function databaseStep({ file }: Deployment): Step {
  const turso = readTurso(process.env);
  return {
    title: "Database",
    plan: turso
      ? `create ${service.name} at Turso, in the organization ${turso.organization}`
      : "ask for DB_URL and DB_AUTH_TOKEN",
    find: () => Promise.resolve(file.values["DB_URL"] && new URL(file.values["DB_URL"]).host),
    async make() {
      if (turso === undefined)
        throw new StartError(
          `There is no database yet. Set DB_URL and DB_AUTH_TOKEN of a libSQL database, or TURSO_ORGANIZATION and TURSO_API_TOKEN to create one.`,
          "configuration",
        );
      file.keep(await createDatabase(turso, service.name));
      return `created ${new URL(file.values["DB_URL"]!).host}`;
    },
  };
}

/** A service that has keys must never get others: what they sealed could not be read again. */
function keysStep({ cloudflare, file }: Deployment): Step {
  return {
    title: "Key ring",
    plan: `create it in ${file.file}`,
    async find() {
      if (file.values["PARLEY_SECRET_KEYS"] !== undefined) return "is there";
      const names = await secretNames(cloudflare);
      if (names.includes("PARLEY_SECRET_KEYS"))
        throw new StartError(
          `The deployed service has a key ring, and ${file.file} has none. Set PARLEY_SECRET_KEYS to it, or restore that file.`,
          "noInput",
        );
      return undefined;
    },
    make() {
      const ring = { current: "k1", keys: { k1: randomBytes(32).toString("base64") } };
      file.keep({ PARLEY_SECRET_KEYS: JSON.stringify(ring) });
      return Promise.resolve(`created in ${file.file}: keep a copy of that file in a safe place`);
    },
  };
}

function schemaStep({ file }: Deployment): Step {
  return {
    title: "Schema",
    plan: "migrate the database",
    find: () => Promise.resolve(undefined),
    async make() {
      const script = path.join(projectRoot, "scripts/migrate.ts");
      try {
        const env = { ...process.env, ...file.values };
        return (await promisify(execFile)(process.execPath, [script], { env })).stdout.trim();
      } catch (error) {
        const { code, stderr } = error as { code?: number; stderr?: string };
        const kind = code === exitCodes.configuration ? "configuration" : "unavailable";
        throw new StartError(`The database cannot be migrated: ${firstLine(stderr ?? String(error))}`, kind);
      }
    },
  };
}

function workerStep({ file, commit, targets }: Deployment, worker: EdgeWorker): Step {
  return {
    title: `Worker ${worker.name}`,
    plan: "deploy it",
    find: () => Promise.resolve(undefined),
    async make() {
      const folder = mkdtempSync(path.join(tmpdir(), "parley-secrets-"));
      try {
        const args = ["deploy", "-c", worker.config];
        if (worker === service) {
          const secrets = path.join(folder, "secrets.json");
          writeFileSync(secrets, JSON.stringify(file.values), { mode: 0o600 });
          args.push("--secrets-file", secrets, ...(commit === null ? [] : ["--var", `PARLEY_COMMIT:${commit}`]));
        }
        const { entries } = await runWrangler(args);
        const deployed = entries.find(({ type }) => type === "deploy");
        if (worker === service) targets.push(...(deployed?.targets ?? []));
        return `deployed version ${deployed?.version_id ?? "?"}`;
      } catch (error) {
        if (!(error instanceof WranglerError)) throw error;
        throw new StartError(`${worker.name} could not be deployed:\n${explain(error.message)}`, "unavailable");
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  };
}

/** What wrangler says of its error, without all that went well before, and what to do about it. */
function explain(said: string): string {
  const error = said.slice(Math.max(said.indexOf("[ERROR]"), 0)).trim();
  return /(?:worker.?loader|dynamic worker)/i.test(error)
    ? `${error}\nPlugins run in isolates that the plugin host loads (Dynamic Workers), which need the plan Workers Paid.`
    : error;
}

/** A setting that is no longer given must not stay as a secret of an earlier deployment. */
function leftoverStep({ cloudflare, file }: Deployment): Step {
  const left = async () =>
    (await secretNames(cloudflare)).filter(
      (name) => environmentNames.includes(name) && file.values[name] === undefined,
    );
  return {
    title: "Settings of earlier deployments",
    plan: "remove those that are no longer given",
    find: async () => ((await left()).length === 0 ? "none is left" : undefined),
    async make() {
      const names = await left();
      for (const name of names)
        await cloudflare.ask("DELETE", `/workers/scripts/${service.name}/secrets/${encodeURIComponent(name)}`);
      return `removed ${names.join(", ")}`;
    },
  };
}

async function secretNames(cloudflare: Cloudflare): Promise<string[]> {
  const secrets = await cloudflare.find<{ name: string }[]>(`/workers/scripts/${service.name}/secrets`);
  return (secrets ?? []).map(({ name }) => name);
}
