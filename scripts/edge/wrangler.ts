import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { promisify, stripVTControlCharacters } from "node:util";
import { projectRoot } from "../launch/project-root.ts";
import { wranglerScript } from "./workers.ts";

/** A run of wrangler that failed, with what it said. */
export class WranglerError extends Error {}

/** A line of the file that wrangler writes for programs. */
interface Entry {
  type: string;
  version_id?: string;
  targets?: string[];
}

/** What a run said to programs (the entry of type `deploy`) and to people. */
export interface WranglerRun {
  entries: Entry[];
  said: string;
}

/** Runs wrangler in the project, with the builds that it would make by itself already made. @throws WranglerError */
export async function runWrangler(args: readonly string[]): Promise<WranglerRun> {
  const folder = mkdtempSync(path.join(tmpdir(), "parley-wrangler-"));
  const output = path.join(folder, "output.ndjson");
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [wranglerScript, ...args], {
      cwd: projectRoot,
      maxBuffer: 2 ** 24,
      env: {
        ...process.env,
        CI: "1",
        WRANGLER_SEND_METRICS: "false",
        WRANGLER_OUTPUT_FILE_PATH: output,
        PARLEY_SKIP_UI: "1",
      },
    });
    return { entries: readEntries(output), said: stdout };
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    const said = stripVTControlCharacters(`${stdout}${stderr}`).trim();
    throw new WranglerError(said || String(error), { cause: error });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function readEntries(file: string): Entry[] {
  let text;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    // Not every command writes one.
    return [];
  }
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line) as Entry);
}
