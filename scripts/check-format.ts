import { spawnSync } from "node:child_process";
import { mkdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { projectRoot } from "./launch/project-root.ts";

/*
 * oxfmt --check for what has changed since it last found nothing: pages take it a moment each. With another formatter or other
 * rules, everything.
 */
const stamp = path.join(projectRoot, ".build/format-checked");
const begin = new Date();
const last = statSync(stamp, { throwIfNoEntry: false })?.mtimeMs ?? 0;
const isNewer = (file: string): boolean => {
  const found = statSync(path.join(projectRoot, file), { throwIfNoEntry: false });
  return found !== undefined && Math.max(found.mtimeMs, found.ctimeMs) >= last;
};
/** Undefined without git. */
function changedFiles(): string[] | undefined {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const { status, stdout } = spawnSync("git", args, { cwd: projectRoot, encoding: "utf8", maxBuffer: 2 ** 26 });
  return status === 0 ? stdout.split("\0").filter((file) => file !== "" && isNewer(file)) : undefined;
}

const files = changedFiles();
const isWhole = files === undefined || files.includes(".oxfmtrc.json") || files.includes("package-lock.json");
if (isWhole || files.length > 0) {
  const paths = isWhole ? [] : ["--no-error-on-unmatched-pattern", ...files];
  const { status } = spawnSync("oxfmt", ["--check", ...paths], { cwd: projectRoot, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
mkdirSync(path.dirname(stamp), { recursive: true });
writeFileSync(stamp, "");
utimesSync(stamp, begin, begin);
