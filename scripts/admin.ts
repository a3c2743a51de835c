import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { commands } from "./admin/commands.ts";
import { findService } from "./admin/running-service.ts";
import { isRelease, projectRoot } from "./launch/project-root.ts";
import { complain, ignoreClosedOutput, say } from "./launch/say.ts";
import { explainFailure, StartError } from "./launch/start-error.ts";

/**
 * npm run admin -- COMMAND: what the operator does without the web page: accounts and keys. It speaks to the service that runs on
 * DATA, or to --url with the ring in PARLEY_SECRET_KEYS.
 */
ignoreClosedOutput();

const options = {
  url: { type: "string" },
  name: { type: "string" },
  passwords: { type: "string" },
  administrator: { type: "boolean" },
  "password-stdin": { type: "boolean" },
} as const;

function readCall() {
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    throw new StartError(`${(error as Error).message}.`, "usage");
  }
}

const program = isRelease ? "parley admin" : "npm run admin --";

try {
  const { values, positionals } = readCall();
  const [name, ...words] = positionals;
  if (name === undefined) {
    say("Commands of the operator:\n");
    for (const { usage, what } of Object.values(commands)) say(`  ${program} ${usage}\n      ${what}`);
  } else {
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command === undefined)
      throw new StartError(`Unknown command ${name}. ${program.replace(/ --$/, "")} lists them.`, "usage");
    const dataDir = path.resolve(projectRoot, process.env["DATA"]?.trim() || ".data");
    const { url, ...given } = values;
    await command.run({ dataDir, words, options: given, service: () => findService(dataDir, url), say });
  }
} catch (error) {
  const failure = explainFailure(error, [path.join(projectRoot, ".build")]);
  complain(failure.message);
  process.exitCode = failure.exitCode;
}
