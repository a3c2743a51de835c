import { randomBytes } from "node:crypto";
import process from "node:process";
import { levelLine, runHealthLevels } from "../../monitor/parley-smoke.mjs";
import { defaultOrganizationId } from "../../src/people/organizations/default-organization.ts";
import { connectService } from "../admin/running-service.ts";
import { Assembler } from "../launch/assemble.ts";
import { openSecrets, openDataFolder } from "../launch/data-folder.ts";
import { Instance } from "../launch/instance.ts";
import { readLaunchOptions } from "../launch/launch-options.ts";
import { projectRoot } from "../launch/project-root.ts";
import { StartError } from "../launch/start-error.ts";
import { readVersion } from "../launch/version.ts";
import { asideModel, asideWord, startAsideProvider } from "./aside-provider.ts";

/** Of the environment nothing else counts: a service that only shows that it works needs no settings of the real one. */
const kept = new Set([
  "PATH",
  "HOME",
  "TMPDIR",
  "TZ",
  "NODE_COMPILE_CACHE",
  "PARLEY_SECRET_KEYS",
  "PARLEY_STOP_WITH_PARENT",
]);
/** The address is never asked: an instance that stands aside has one provider. */
const connection = { OPENAI_API_BASE_URLS: "http://provider.invalid/v1", OPENAI_API_KEYS: "none" };
const timeoutMs = 60_000;

/**
 * Starts a service on a copy of the data, where nobody reaches it and it reaches nobody, and asks it for the three levels of health. The
 * copy gets an account for that, so it has to be thrown away.
 * @throws StartError when it does not start, or a level fails
 */
export async function tryAside(dataDir: string, tell: (line: string) => void): Promise<void> {
  for (const name of Object.keys(process.env)) if (!kept.has(name)) delete process.env[name];
  Object.assign(process.env, connection, {
    DATA: dataDir,
    HOST: "127.0.0.1",
    PORT: "0",
    SNAPSHOT_BEFORE_MIGRATION: "false",
  });
  const provider = await startAsideProvider();
  const assembler = new Assembler();
  let instance: Instance | undefined;
  let giveUp!: (message: string) => void;
  const gone = new Promise<never>((_, reject) => {
    giveUp = (message) => reject(new StartError(message, "unavailable"));
  });
  const run = async () => {
    const options = { ...readLaunchOptions(process.env, [], projectRoot), aside: { provider: provider.address } };
    instance = await Instance.claim(options, giveUp);
    await instance.start(assembler, (await readVersion()).commit);
    const { PARLEY_SECRET_KEYS: ring } = openSecrets(openDataFolder(dataDir), process.env);
    const key = await signIn(instance.url, ring);
    const smoke = { url: instance.url, key, model: asideModel, word: asideWord, timeoutMs };
    const { ok } = await runHealthLevels(smoke, (level) => tell(levelLine(level)));
    if (!ok) throw new StartError("The copy runs, and does not answer as it should.", "unavailable");
  };
  try {
    await Promise.race([run(), gone]);
  } finally {
    assembler.stop();
    await instance?.stop();
    provider.stop();
  }
}

/** A new administrator of the copy. @returns their token */
async function signIn(url: string, ring: string): Promise<string> {
  const email = `check-${randomBytes(6).toString("hex")}@parley.invalid`;
  const password = randomBytes(24).toString("base64url");
  const person = { email, name: "Check", role: "admin", organization: defaultOrganizationId, password };
  await connectService(url, ring).post("people", { people: [person] });
  const response = await fetch(`${url}/api/v1/auths/signin`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const { token } = (await response.json()) as { token?: string };
  if (token === undefined)
    throw new StartError(`Signing in to the copy failed with ${response.status}.`, "unavailable");
  return token;
}
