import process from "node:process";
import { parseArgs } from "node:util";
import { importChatFile } from "./import/import-chats.ts";
import { openWebuiPlace } from "./import/import-open-webui.ts";
import { parleyPlace } from "./import/import-parley.ts";
import { type ImportCall, importPlace } from "./import/import-place.ts";
import { isRelease } from "./launch/project-root.ts";
import { complain, ignoreClosedOutput, say } from "./launch/say.ts";
import { explainFailure, StartError } from "./launch/start-error.ts";

/**
 * npm run import -- open-webui SOURCE --url URL --key KEY: brings everything of an Open WebUI into a running Parley; or what another Parley has
 * exported; or the chats of one person from the export of another product. The key may come in PARLEY_KEY instead, where the list of processes does not show it.
 * 0: everything was looked at, and nothing failed.
 */
ignoreClosedOutput();

const program = isRelease ? "parley import" : "npm run import --";
const usage = `Brings the data of another product into a running Parley. It can be stopped and run again: nothing arrives twice.

  ${program} open-webui SOURCE --url URL --key KEY [options]
  ${program} parley FOLDER --url URL --key KEY [options]
  ${program} chatgpt|claude|librechat FILE --url URL --key KEY

FILE            the zip or JSON file of an export: its chats, for the person whose key it is
SOURCE          webui.db, the data folder that it is in, or postgresql://...
FOLDER          what "export" has written, or the unpacked zip file of somebody's data
--url URL       address of the running Parley
--key KEY       API key or token, for open-webui and parley of a system administrator; or set PARLEY_KEY
--uploads PLACE the folder of uploaded files, or s3://bucket/prefix; "uploads" beside webui.db if it is there
--dry-run       imports nothing, and says what would arrive
--only LIST     some of what there is, separated by commas
--merge-by-email  accounts whose address has one here become that one
--with-config   connections and settings too
--report FILE   where the report is written (import-report.md)

WEBUI_SECRET_KEY opens the valves of plugins where Open WebUI has encrypted them.`;

const serviceProducts = ["open-webui", "parley"];
const chatProducts = ["chatgpt", "claude", "librechat"];

function readCall(): (ImportCall & { product: string }) | undefined {
  const { values, positionals } = parse();
  const [product, source, ...others] = positionals;
  if (product === undefined) return undefined;
  if (!serviceProducts.includes(product) && !chatProducts.includes(product))
    throw new StartError(
      `"${product}" is not known. There are ${[...serviceProducts, ...chatProducts].join(", ")}.`,
      "usage",
    );
  if (source === undefined || others.length > 0) throw new StartError("Name one source after the product.", "usage");
  const { url, key = process.env["PARLEY_KEY"], only } = values;
  if (url === undefined || !/^https?:$/.test(URL.parse(url)?.protocol ?? ""))
    throw new StartError("--url must be the address of a running Parley, such as http://127.0.0.1:8080.", "usage");
  if (!key) throw new StartError("--key must be an API key or token.", "usage");
  return {
    product,
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
  if (!call) say(usage);
  else if (call.product === "open-webui") await importPlace(openWebuiPlace(call), call, say);
  else if (call.product === "parley") await importPlace(parleyPlace(call), call, say);
  else await importChatFile({ ...call, file: call.source }, say);
} catch (error) {
  const failure = explainFailure(error, []);
  complain(failure.message);
  process.exitCode = failure.exitCode;
}
