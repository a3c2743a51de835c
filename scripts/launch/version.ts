import { execFile } from "node:child_process";
import { readFileSync, realpathSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { projectRoot } from "./project-root.ts";

export interface Version {
  /** As in package.json. */
  version: string;
  /** Full name of the commit; null when nothing says it. */
  commit: string | null;
}

/**
 * What runs here. `git archive` writes its commit into `.release-commit` (.gitattributes), so downloads of a release carry it; in a
 * checkout git is asked.
 */
export async function readVersion(root = projectRoot): Promise<Version> {
  const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as { version: string };
  return { version, commit: releaseCommit(root) ?? (await checkedOutCommit(root)) };
}

const isCommit = (text: string) => /^[0-9a-f]{40,64}$/.test(text);

function releaseCommit(root: string): string | undefined {
  try {
    const text = readFileSync(path.join(root, ".release-commit"), "utf8").trim();
    return isCommit(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

async function checkedOutCommit(root: string): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)("git", ["rev-parse", "--show-toplevel", "HEAD"], {
      cwd: root,
      timeout: 2000,
    });
    const [top = "", commit = ""] = stdout.trim().split("\n");
    // Parley may lie inside the checkout of something else.
    return realpathSync(top) === realpathSync(root) && isCommit(commit) ? commit : null;
  } catch {
    return null;
  }
}

/** As it is shown to people. */
export function versionWords({ version, commit }: Version): string {
  return commit === null ? version : `${version} (commit ${commit.slice(0, 12)})`;
}
