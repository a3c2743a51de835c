import * as z from "zod";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { fetchAddress } from "./load-url.ts";

const api = "https://api.github.com";
/** Largest list that is read, in characters. */
const maxListLength = 8_000_000;
const maxListed = 300;

const tree = z.object({
  tree: z.array(z.object({ path: z.string(), type: z.string(), size: z.number().optional() })),
  truncated: z.boolean().optional(),
});

export interface GithubFolder {
  owner: string;
  repository: string;
  /** A branch, tag or commit; `HEAD` for the branch that GitHub shows first. */
  ref: string;
  /** Without slashes at its ends; empty for all of it. */
  path: string;
}

export interface ListedFile {
  path: string;
  url: string;
  /** Bytes. */
  size: number;
}

/** The repository or folder that an address of GitHub's pages names; undefined for everything else. */
export function readGithubFolder(url: URL): GithubFolder | undefined {
  if (!/^(www\.)?github\.com$/.test(url.hostname)) return undefined;
  const [owner, repository, kind, ref, ...path] = url.pathname.split("/").filter((part) => part !== "");
  if (!owner || !repository || (kind !== undefined && kind !== "tree")) return undefined;
  const named = { owner: decode(owner), repository: decode(repository).replace(/\.git$/, "") };
  return { ...named, ref: ref === undefined ? "HEAD" : decode(ref), path: path.map(decode).join("/") };
}

/**
 * The files of a folder that may be plugins, by path: which of them are, their sources say.
 * @throws AppError `bad_request` for one that is not there or that GitHub does not list now; as `fetchAddress`
 */
export async function listGithubFolder(
  ctx: Context,
  folder: GithubFolder,
): Promise<{ files: ListedFile[]; isIncomplete: boolean }> {
  const { owner, repository, ref, path } = folder;
  const address = `${api}/repos/${part(owner)}/${part(repository)}/git/trees/${part(ref)}?recursive=1`;
  const { status, headers, text } = await fetchAddress(ctx, new URL(address), maxListLength, {
    accept: "application/vnd.github+json",
  });
  if (status === 404 || status === 409)
    throw new AppError("bad_request", "GitHub has no such repository, branch or folder, or it is private", {
      param: "url",
    });
  if (status === 429 || (status === 403 && headers.get("x-ratelimit-remaining") === "0"))
    throw new AppError(
      "bad_request",
      "GitHub lists no more folders for this service at the moment: try again in an hour",
    );
  if (status !== 200) throw new AppError("bad_request", `GitHub answered ${status}`);
  const { data } = tree.safeParse(parse(text));
  if (!data) throw new AppError("bad_request", "GitHub's answer could not be read");
  const below = path === "" ? "" : `${path}/`;
  const found = data.tree.filter(
    (entry) => entry.type === "blob" && entry.path.startsWith(below) && mayBePlugin(entry.path.slice(below.length)),
  );
  const files = found.slice(0, maxListed).map((entry) => ({
    path: entry.path,
    url: `https://github.com/${[owner, repository, "blob", ref, ...entry.path.split("/")].map(part).join("/")}`,
    size: entry.size ?? 0,
  }));
  return { files, isIncomplete: data.truncated === true || found.length > maxListed };
}

const never =
  /(^|\/)(\.[^/]*|node_modules|tests?|__tests__|docs)\/|(^|\/)(__init__|setup|conftest|test_[^/]*|[^/]*_test)\.py$|\.(d|test|spec|config)\.m?[jt]s$/i;

function mayBePlugin(path: string): boolean {
  return /\.(py|m?ts|m?js)$/i.test(path) && !never.test(path);
}

function part(text: string): string {
  return encodeURIComponent(text);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
