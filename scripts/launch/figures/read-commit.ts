import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

const hash = /^[\da-f]{40}(?:[\da-f]{24})?$/;

/** The commit of a checkout, without Git itself; null where there is none. @see https://git-scm.com/docs/gitrepository-layout */
export function readCommit(root: string): string | null {
  try {
    const git = gitFolder(path.join(root, ".git"));
    const head = read(git, "HEAD");
    const [, ref] = /^ref: (\S+)$/.exec(head) ?? [];
    const found = ref === undefined ? head : findRef(git, ref);
    return hash.test(found) ? found : null;
  } catch {
    return null;
  }
}

/** A second work tree has a file there that names the folder. */
function gitFolder(place: string): string {
  if (statSync(place).isDirectory()) return place;
  return path.resolve(
    path.dirname(place),
    readFileSync(place, "utf8")
      .trim()
      .replace(/^gitdir: /, ""),
  );
}

function findRef(git: string, ref: string): string {
  const folders = existsSync(path.join(git, "commondir")) ? [git, path.resolve(git, read(git, "commondir"))] : [git];
  for (const folder of folders) if (existsSync(path.join(folder, ref))) return read(folder, ref);
  const packed = read(folders.at(-1)!, "packed-refs").split("\n");
  return packed.find((line) => line.endsWith(` ${ref}`))?.split(" ")[0] ?? "";
}

function read(folder: string, name: string): string {
  return readFileSync(path.join(folder, name), "utf8").trim();
}
