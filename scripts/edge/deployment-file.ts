import { appendFileSync, chmodSync, existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseEnv } from "node:util";
import { environmentNames, parseEnvironment, SettingError } from "../../src/compose/parse-environment.ts";
import { parseKeyRing } from "../../src/lib/key-ring.ts";
import { projectRoot } from "../launch/project-root.ts";
import { StartError } from "../launch/start-error.ts";
import { writeVariables } from "./variables-file.ts";

/** Of the service, but no settings. */
const own = ["DB_URL", "DB_AUTH_TOKEN", "DB_REPLICA_URL", "PARLEY_SECRET_KEYS"];

/**
 * Variables of the service: those of the environment, else those of `.deploy.env`, or of the file that DEPLOY_ENV names. What a
 * deployment creates is kept there for the next one.
 */
export class DeploymentFile {
  readonly file: string;
  /** By the names of variables. */
  readonly values: Record<string, string>;

  /** @throws StartError with all values that are wrong */
  constructor(env: NodeJS.ProcessEnv) {
    this.file = path.resolve(projectRoot, env["DEPLOY_ENV"]?.trim() || ".deploy.env");
    const stored = existsSync(this.file) ? parseEnv(readFileSync(this.file, "utf8")) : {};
    const given = [...own, ...environmentNames].map((name) => [name, env[name]?.trim() || stored[name]?.trim()]);
    this.values = Object.fromEntries(given.filter(([, value]) => value)) as Record<string, string>;
    try {
      parseEnvironment(this.values);
      const ring = this.values["PARLEY_SECRET_KEYS"];
      if (ring !== undefined) parseKeyRing(ring);
    } catch (error) {
      throw new StartError((error as Error).message, error instanceof SettingError ? "configuration" : "data");
    }
  }

  /** Adds what was created, readable by its owner alone. */
  keep(values: Record<string, string>): void {
    appendFileSync(this.file, writeVariables(values), { mode: 0o600 });
    chmodSync(this.file, 0o600);
    Object.assign(this.values, values);
  }
}
