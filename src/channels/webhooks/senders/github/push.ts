import { escapeMarkdown } from "../../../cards/escape-markdown.ts";
import type { CardPart, CardState } from "../../../cards/schema.ts";
import { partOf, recordsOf, textAt, valueAt } from "../json-fields.ts";
import type { JsonRecord } from "../sender-post.ts";
import { authorOf, repositoryOf } from "./origin.ts";

const maxCommits = 10;

/** A push: its commits, or what became of a branch or tag. */
export function pushOf(body: JsonRecord): CardPart {
  const ref = textAt(body, "ref") ?? "";
  const isTag = ref.startsWith("refs/tags/");
  const name = ref.replace(/^refs\/(?:heads|tags)\//, "");
  const commits = recordsOf(body["commits"]);
  const repository = repositoryOf(body);
  const place = `${isTag ? "tag" : "branch"} ${name}`;
  const count = commits.length === 1 ? "1 commit" : `${commits.length} commits`;
  const isDeleted = valueAt(body, "deleted") === true;
  const isCreated = valueAt(body, "created") === true;
  const what = isDeleted
    ? `Deleted ${place}`
    : isCreated && commits.length === 0
      ? `Created ${place}`
      : `${count} to ${name}`;
  const shown = commits.slice(-maxCommits).map((commit) => ({
    text: commitText(commit),
    ...(textAt(commit, "url") === undefined ? {} : { url: textAt(commit, "url")! }),
  }));
  return partOf({
    state: stateOf(body, isDeleted, isCreated),
    title: what,
    url: textAt(body, "compare") ?? textAt(body, "repository", "html_url"),
    author: authorOf(body),
    lists:
      commits.length === 0
        ? []
        : [{ state: { kind: "neutral", word: "Commits" }, items: shown, more: commits.length - shown.length }],
    footer: repository,
  });
}

function stateOf(body: JsonRecord, isDeleted: boolean, isCreated: boolean): CardState {
  if (isDeleted) return { kind: "neutral", word: "Deleted" };
  if (valueAt(body, "forced") === true) return { kind: "warn", word: "Force-pushed" };
  return isCreated ? { kind: "good", word: "New" } : { kind: "info", word: "Pushed" };
}

/** The first line of what it says, and who wrote it. */
function commitText(commit: JsonRecord): string {
  const message = textAt(commit, "message")?.split("\n")[0] ?? "";
  const author = textAt(commit, "author", "username") ?? textAt(commit, "author", "name");
  const id = textAt(commit, "id")
    ?.replaceAll(/[^0-9a-f]/gi, "")
    .slice(0, 7);
  return [id && `\`${id}\``, escapeMarkdown(message), author && `(${escapeMarkdown(author)})`]
    .filter(Boolean)
    .join(" ");
}
