import process from "node:process";
import { parseArgs } from "node:util";
import { type ExportCall, exportData } from "./export/export-data.ts";
import { isRelease } from "./launch/project-root.ts";
import { complain, ignoreClosedOutput, say } from "./launch/say.ts";
import { explainFailure, StartError } from "./launch/start-error.ts";

/**
 * npm run export -- FOLDER --url URL --key KEY: writes everything of a running Parley into a folder that `import -- parley FOLDER` reads. The
 * key may come in PARLEY_KEY instead, where the list of processes does not show it. 0: everything is there.
 */
ignoreClosedOutput();

const program = isRelease ? "parley export" : "npm run export --";
const usage = `Writes everything of a running Parley into a folder, from which another one imports it. It can be stopped and run again.

  ${program} FOLDER --url URL --key KEY [options]

FOLDER          new or empty, or with an export that has not ended
--url URL       address of the running Parley
--key KEY       API key or token of a system administrator; or set PARLEY_KEY
--own           only what is yours; for everybody who may export chats
--person ID     only what is this person's
--with-secrets  keys of connections, settings of plugins and other secrets in the clear too`;

function readCall(): ExportCall | undefined {
  const { values, positionals } = parse();
  const [folder, ...others] = positionals;
  if (folder === undefined) return undefined;
  if (others.length > 0) throw new StartError("Name one folder.", "usage");
  const { url, key = process.env["PARLEY_KEY"], own, person, "with-secrets": secrets } = values;
  if (url === undefined || !/^https?:$/.test(URL.parse(url)?.protocol ?? ""))
    throw new StartError("--url must be the address of a running Parley, such as http://127.0.0.1:8080.", "usage");
  if (!key) throw new StartError("--key must be an API key or token.", "usage");
  const isOfPerson = own || person !== undefined;
  if (isOfPerson && secrets)
    throw new StartError("--with-secrets is only for the export of the whole service.", "usage");
  return { folder, url, key, scope: isOfPerson ? "person" : "service", person_id: own ? undefined : person, secrets };
}

function parse() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        url: { type: "string" },
        key: { type: "string" },
        own: { type: "boolean", default: false },
        person: { type: "string" },
        "with-secrets": { type: "boolean", default: false },
      },
    });
  } catch (error) {
    throw new StartError(`${(error as Error).message}.`, "usage");
  }
}

try {
  const call = readCall();
  if (call) await exportData(call, say);
  else say(usage);
} catch (error) {
  const failure = explainFailure(error, []);
  complain(failure.message);
  process.exitCode = failure.exitCode;
}
