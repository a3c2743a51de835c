import { escapeMarkdown } from "../../../cards/escape-markdown.ts";
import { cutWithMark } from "../../../cards/fit-card.ts";
import type { CardField, CardState } from "../../../cards/schema.ts";
import { numberAt, partOf, recordAt, recordsOf, textAt, valueAt } from "../json-fields.ts";
import type { JsonRecord, SenderPost } from "../sender-post.ts";
import { authorOf, repositoryOf } from "./origin.ts";

/** Characters of a description. */
const maxBody = 600;

/** Issues and pull requests have one row of numbers. */
export function numberKey(body: JsonRecord, subject: JsonRecord): string | undefined {
  const [repository, number] = [repositoryOf(body), numberAt(subject, "number")];
  return repository === undefined || number === undefined ? undefined : `number ${repository}#${number}`;
}

export function pullRequestOf(body: JsonRecord): SenderPost {
  const pull = recordAt(body, "pull_request") ?? {};
  const action = textAt(body, "action");
  const branches = [textAt(pull, "head", "ref"), textAt(pull, "base", "ref")];
  const [added, removed] = [numberAt(pull, "additions"), numberAt(pull, "deletions")];
  const fields: [string, string | undefined][] = [
    ["Action", actionOf(action)],
    ["Branch", branches[0] && branches[1] && `${branches[0]} → ${branches[1]}`],
    ["Lines", added === undefined || removed === undefined ? undefined : `+${added} −${removed}`],
    ["Reviewer", textAt(body, "requested_reviewer", "login")],
    ["Label", textAt(body, "label", "name")],
  ];
  return postOf(body, pull, pullState(pull), fields);
}

export function issueOf(body: JsonRecord): SenderPost {
  const issue = recordAt(body, "issue") ?? {};
  const labels = recordsOf(valueAt(issue, "labels")).map((label) => textAt(label, "name"));
  const assignees = recordsOf(valueAt(issue, "assignees")).map((person) => textAt(person, "login"));
  const fields: [string, string | undefined][] = [
    ["Action", actionOf(textAt(body, "action"))],
    ["Labels", labels.filter(Boolean).join(", ")],
    ["Assigned to", assignees.filter(Boolean).join(", ")],
  ];
  return postOf(body, issue, issueState(issue), fields);
}

function postOf(
  body: JsonRecord,
  subject: JsonRecord,
  state: CardState | undefined,
  fields: [string, string | undefined][],
): SenderPost {
  const number = textAt(subject, "number");
  const isNew = textAt(body, "action") === "opened";
  const said = isNew ? textAt(subject, "body") : undefined;
  const part = partOf({
    state,
    title: [number && `#${number}`, textAt(subject, "title")].filter(Boolean).join(" ") || repositoryOf(body),
    url: textAt(subject, "html_url"),
    author: authorOf(body),
    // Markdown already, in which comments of templates are not for readers.
    text:
      said &&
      cutWithMark(
        said
          .slice(0, 20_000)
          .replaceAll(/<!--[\s\S]*?-->/g, "")
          .trim(),
        maxBody,
      ),
    fields: fields.flatMap(([name, value]): CardField[] =>
      value ? [{ name, value: escapeMarkdown(value), is_short: true }] : [],
    ),
    footer: repositoryOf(body),
  });
  const key = numberKey(body, subject);
  return {
    card: { parts: [part] },
    thread:
      key === undefined
        ? undefined
        : { key, isOpen: state && textAt(subject, "state") !== "closed", restarts: false, head: "line" },
  };
}

function pullState(pull: JsonRecord): CardState | undefined {
  if (valueAt(pull, "merged") === true) return { kind: "info", word: "Merged" };
  if (textAt(pull, "state") === "closed") return { kind: "bad", word: "Closed" };
  if (textAt(pull, "state") !== "open") return undefined;
  return valueAt(pull, "draft") === true ? { kind: "neutral", word: "Draft" } : { kind: "good", word: "Open" };
}

function issueState(issue: JsonRecord): CardState | undefined {
  const state = textAt(issue, "state");
  if (state === "open") return { kind: "good", word: "Open" };
  if (state !== "closed") return undefined;
  return textAt(issue, "state_reason") === "not_planned"
    ? { kind: "neutral", word: "Not planned" }
    : { kind: "info", word: "Closed" };
}

/** `ready_for_review` as words; new commits are called otherwise there. Nothing where the state says it. */
function actionOf(action: string | undefined): string | undefined {
  if (/^(?:re)?opened$|^closed$/.test(action ?? "")) return undefined;
  return action === "synchronize" ? "new commits" : action?.replaceAll("_", " ");
}
