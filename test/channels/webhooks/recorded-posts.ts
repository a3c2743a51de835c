import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** A body as a real program sends it. */
export interface RecordedPost {
  /** Name of its file. */
  name: string;
  /** Which program, and what it says. */
  sender: string;
  /** Where the form is documented. */
  documented: string;
  /** What follows the webhook's address. */
  address: "" | "/slack" | "/github";
  headers?: Record<string, string>;
  /** Whose form it is found to have. */
  format: string;
  /** The word of its state. */
  state?: string;
  /** Stands in the text of the message. */
  shows: string[];
  body: Record<string, unknown>;
}

const folder = path.join(import.meta.dirname, "../../fixtures/channel-webhooks");

export const recordedPosts: readonly RecordedPost[] = readdirSync(folder)
  .toSorted()
  .map((file) => ({
    name: file.replace(/\.json$/, ""),
    ...(JSON.parse(readFileSync(path.join(folder, file), "utf8")) as Omit<RecordedPost, "name">),
  }));

export function recordedPost(name: string): RecordedPost {
  const found = recordedPosts.find((each) => each.name === name);
  if (!found) throw new Error(`no recorded post ${name}`);
  return found;
}
