import { escapeMarkdown } from "../../../cards/escape-markdown.ts";
import { cutWithMark } from "../../../cards/fit-card.ts";
import type { CardField, CardPart, CardState } from "../../../cards/schema.ts";
import { partOf, recordAt, textAt, timeAt, valueAt } from "../json-fields.ts";
import type { JsonRecord, SenderPost } from "../sender-post.ts";
import { authorOf, repositoryOf } from "./origin.ts";

/** Characters of release notes. */
const maxNotes = 1500;

export function releaseOf(body: JsonRecord): CardPart {
  const release = recordAt(body, "release") ?? {};
  const action = textAt(body, "action") ?? "published";
  const notes = textAt(release, "body");
  const isEarly = valueAt(release, "prerelease") === true;
  return partOf({
    state: isEarly
      ? { kind: "warn", word: "Pre-release" }
      : { kind: action === "deleted" ? "neutral" : "good", word: `Release ${action}` },
    title: textAt(release, "name") ?? textAt(release, "tag_name") ?? "Release",
    url: textAt(release, "html_url"),
    author: authorOf(body),
    text: notes && cutWithMark(notes.slice(0, 20_000).trim(), maxNotes),
    fields: fieldsOf([["Tag", textAt(release, "tag_name")]]),
    footer: repositoryOf(body),
    at: timeAt(release, "published_at"),
  });
}

/** A run of a workflow, from its request to its end: one thread. */
export function workflowRunOf(body: JsonRecord): SenderPost {
  const run = recordAt(body, "workflow_run") ?? {};
  const [begun, ended] = [timeAt(run, "run_started_at"), timeAt(run, "updated_at")];
  const isDone = textAt(run, "status") === "completed";
  const name = textAt(run, "name") ?? textAt(body, "workflow", "name") ?? "Workflow";
  const number = textAt(run, "run_number");
  const id = textAt(run, "id");
  const said = textAt(run, "display_title") ?? textAt(run, "head_commit", "message")?.split("\n")[0];
  const part = partOf({
    state: isDone ? conclusionOf(textAt(run, "conclusion")) : waitingOf(textAt(run, "status")),
    title: number === undefined ? name : `${name} #${number}`,
    url: textAt(run, "html_url"),
    author: authorOf(body),
    text: said && escapeMarkdown(said),
    fields: fieldsOf([
      ["Branch", textAt(run, "head_branch")],
      ["Commit", textAt(run, "head_sha")?.slice(0, 7)],
      ["Event", textAt(run, "event")],
      ["Attempt", textAt(run, "run_attempt") === "1" ? undefined : textAt(run, "run_attempt")],
      ["Took", isDone && begun !== undefined && ended !== undefined ? durationOf(ended - begun) : undefined],
    ]),
    footer: repositoryOf(body),
  });
  return {
    card: { parts: [part] },
    thread:
      id === undefined
        ? undefined
        : { key: `run ${repositoryOf(body) ?? ""} ${id}`, isOpen: !isDone, restarts: false, head: "all" },
  };
}

const conclusions: Readonly<Record<string, CardState>> = {
  success: { kind: "good", word: "Success" },
  failure: { kind: "bad", word: "Failed" },
  timed_out: { kind: "bad", word: "Timed out" },
  startup_failure: { kind: "bad", word: "Couldn't start" },
  cancelled: { kind: "neutral", word: "Cancelled" },
  skipped: { kind: "neutral", word: "Skipped" },
  neutral: { kind: "neutral", word: "Neutral" },
  stale: { kind: "neutral", word: "Stale" },
  action_required: { kind: "warn", word: "Action required" },
};

function conclusionOf(conclusion: string | undefined): CardState {
  const known =
    conclusion !== undefined && Object.hasOwn(conclusions, conclusion) ? conclusions[conclusion] : undefined;
  return known ?? { kind: "neutral", word: "Completed" };
}

function waitingOf(status: string | undefined): CardState {
  return { kind: "info", word: status === "in_progress" ? "Running" : "Queued" };
}

/** `4 min 10 s`. */
function durationOf(ms: number): string | undefined {
  const seconds = Math.round(ms / 1000);
  if (seconds < 0) return undefined;
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

function fieldsOf(pairs: readonly (readonly [string, string | undefined])[]): CardField[] {
  return pairs.flatMap(([name, value]) => (value ? [{ name, value: escapeMarkdown(value), is_short: true }] : []));
}
