import process from "node:process";
import { parseArgs } from "node:util";
import { importOpenWebui, type ImportCall } from "./import/import-open-webui.ts";
import { isRelease } from "./launch/project-root.ts";
import { complain, ignoreClosedOutput, say } from "./launch/say.ts";
import { explainFailure, StartError } from "./launch/start-error.ts";

/**
 * npm run import -- open-webui SOURCE --url URL --key KEY: brings everything of an Open WebUI into a running Parley. The key may come in
 * PARLEY_KEY instead, where the list of processes does not show it. 0: everything was looked at, and nothing failed.
 */
ignoreClosedOutput();

const program = isRelease ? "parley import" : "npm run import --";
const usage = `Brings the data of another product into a running Parley. It can be stopped and run again: nothing arrives twice.

  ${program} open-webui SOURCE --url URL --key KEY [options]

SOURCE          webui.db, the data folder that it is in, or postgresql://...
--url URL       address of the running Parley
--key KEY       API key or token of a system administrator; or set PARLEY_KEY
--uploads PLACE the folder of uploaded files, or s3://bucket/prefix; "uploads" beside webui.db if it is there
--dry-run       imports nothing, and says what would arrive
--only LIST     some of what there is, separated by commas
--merge-by-email  accounts whose address has one here become that one
--with-config   connections, default models and sign-up rules too
--report FILE   where the report is written (import-report.md)

WEBUI_SECRET_KEY opens the valves of plugins where Open WebUI has encrypted them.`;

function readCall(): ImportCall | undefined {
  const { values, positionals } = parse();
  const [product, source, ...others] = positionals;
  if (product === undefined) return undefined;
  if (product !== "open-webui")
    throw new StartError(`Data of "${product}" cannot be imported, only that of open-webui.`, "usage");
  if (source === undefined || others.length > 0)
    throw new StartError("Name one source: webui.db, the data folder, or postgresql://...", "usage");
  const { url, key = process.env["PARLEY_KEY"], only } = values;
  if (url === undefined || !/^https?:$/.test(URL.parse(url)?.protocol ?? ""))
    throw new StartError("--url has to be the address of a running Parley, such as http://127.0.0.1:8080.", "usage");
  if (!key) throw new StartError("--key has to be an API key or token of a system administrator.", "usage");
  return {
    source,
    url,
    key,
    uploads: values.uploads,
    dryRun: values["dry-run"],
    only: only?.split(",").map((name) => name.trim()),
    mergeByEmail: values["merge-by-email"],
    withConfig: values["with-config"],
    report: values.report,
    secret: process.env["WEBUI_SECRET_KEY"],
    env: process.env,
  };
}

function parse() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        url: { type: "string" },
        key: { type: "string" },
        uploads: { type: "string" },
        "dry-run": { type: "boolean", default: false },
        only: { type: "string" },
        "merge-by-email": { type: "boolean", default: false },
        "with-config": { type: "boolean", default: false },
        report: { type: "string", default: "import-report.md" },
      },
    });
  } catch (error) {
    throw new StartError(`${(error as Error).message}.`, "usage");
  }
}

try {
  const call = readCall();
  if (call) await importOpenWebui(call, say);
  else say(usage);
} catch (error) {
  const failure = explainFailure(error, []);
  complain(failure.message);
  process.exitCode = failure.exitCode;
}
