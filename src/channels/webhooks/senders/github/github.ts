import { escapeMarkdown } from "../../../cards/escape-markdown.ts";
import { partOf, recordAt, textAt, valueAt } from "../json-fields.ts";
import type { JsonRecord, SenderPost } from "../sender-post.ts";
import { issueOf, numberKey, pullRequestOf } from "./issues.ts";
import { authorOf, repositoryOf } from "./origin.ts";
import { pushOf } from "./push.ts";
import { releaseOf, workflowRunOf } from "./runs.ts";

/**
 * GitHub's webhooks, by the event that their header names.
 * https://docs.github.com/en/webhooks/webhook-events-and-payloads
 */
export function readGithub(event: string, body: JsonRecord): SenderPost {
  switch (event) {
    case "ping":
      return ping(body);
    case "push":
      return { card: { parts: [pushOf(body)] } };
    case "pull_request":
      return pullRequestOf(body);
    case "issues":
      return issueOf(body);
    case "release":
      return { card: { parts: [releaseOf(body)] } };
    case "workflow_run":
      return workflowRunOf(body);
    default:
      return other(event, body);
  }
}

function ping(body: JsonRecord): SenderPost {
  const events = valueAt(body, "hook", "events");
  const listed = Array.isArray(events) ? events.filter((each) => typeof each === "string").join(", ") : "";
  const part = partOf({
    state: { kind: "good", word: "Connected" },
    title: repositoryOf(body) ?? textAt(body, "organization", "login") ?? "GitHub",
    url: textAt(body, "repository", "html_url"),
    text: textAt(body, "zen") && escapeMarkdown(textAt(body, "zen")!),
    fields: listed === "" ? [] : [{ name: "Events", value: escapeMarkdown(listed), is_short: false }],
  });
  return { card: { parts: [part] } };
}

/** Any other event: what it is called, where, and where it can be seen. */
function other(event: string, body: JsonRecord): SenderPost {
  const action = textAt(body, "action");
  const named = [event, action].filter(Boolean).join(" ").replaceAll("_", " ");
  const subject = recordAt(body, "pull_request") ?? recordAt(body, "issue") ?? recordAt(body, "discussion");
  const about = subject && `#${textAt(subject, "number") ?? ""} ${textAt(subject, "title") ?? ""}`.trim();
  const url =
    ["comment", "review", event, "check_run", "deployment_status", "alert"]
      .map((name) => textAt(body, name, "html_url"))
      .find(Boolean) ??
    textAt(subject, "html_url") ??
    textAt(body, "repository", "html_url");
  const part = partOf({
    title: [named[0]?.toUpperCase(), named.slice(1)].join("") + (about ? `: ${about}` : ""),
    url,
    author: authorOf(body),
    footer: repositoryOf(body),
  });
  const key = subject && event !== "discussion" ? numberKey(body, subject) : undefined;
  return {
    card: { parts: [part] },
    thread: key === undefined ? undefined : { key, restarts: false, head: "line" },
  };
}
