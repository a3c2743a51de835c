import { escapeMarkdown } from "../../cards/escape-markdown.ts";
import { explanation, fieldsOf, keyOf, listsOf, stateOf, titleOf } from "./alerts.ts";
import { partOf, recordAt, recordsOf, textAt } from "./json-fields.ts";
import type { JsonRecord, PostThread, Sender } from "./sender-post.ts";

/** Alertmanager's webhook, version 4. https://prometheus.io/docs/alerting/latest/configuration/#webhook_config */
export const alertmanager: Sender = {
  name: "Alertmanager",
  recognize: (body) =>
    recordsOf(body["alerts"]).length > 0 && typeof body["groupKey"] === "string" && body["orgId"] === undefined,
  read(body) {
    const annotations = recordAt(body, "commonAnnotations");
    const said = explanation(annotations);
    const description = textAt(annotations, "description");
    const runbook = textAt(annotations, "runbook_url") ?? textAt(annotations, "runbook");
    const url = textAt(body, "externalURL");
    const part = partOf({
      title: titleOf(body),
      state: stateOf(body),
      url,
      text: [...new Set([said, description])].flatMap((text) => (text ? [escapeMarkdown(text)] : [])).join("\n\n"),
      fields: fieldsOf(body),
      lists: listsOf(body),
      links: [
        ...(runbook === undefined ? [] : [{ label: "Runbook", url: runbook }]),
        ...(url === undefined ? [] : [{ label: "Alertmanager", url }]),
      ],
    });
    return { card: { parts: [part] }, thread: threadOf(body) };
  },
};

/** An alert until all of it is resolved. */
export function threadOf(body: JsonRecord): PostThread | undefined {
  const key = keyOf(body);
  if (key === undefined) return undefined;
  return { key, isOpen: textAt(body, "status") !== "resolved", restarts: true, head: "all" };
}
