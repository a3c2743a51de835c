import { escapeMarkdown } from "../../cards/escape-markdown.ts";
import { threadOf } from "./alertmanager.ts";
import { addressIn, explanation, fieldsOf, listsOf, stateOf, titleOf } from "./alerts.ts";
import { partOf, recordAt, recordsOf, textAt } from "./json-fields.ts";
import type { Sender } from "./sender-post.ts";

/** What Grafana writes as `message` by itself: the same alerts again, as text. */
const ownMessage = /^\s*\*\*(?:Firing|Resolved)\*\*/;

/**
 * Grafana's webhook contact point with the body that it has by itself.
 * https://grafana.com/docs/grafana/latest/alerting/configure-notifications/manage-contact-points/integrations/webhook-notifier/
 */
export const grafana: Sender = {
  name: "Grafana",
  recognize: (body) => recordsOf(body["alerts"]).length > 0 && body["orgId"] !== undefined,
  read(body) {
    const message = textAt(body, "message");
    const said = message !== undefined && !ownMessage.test(message) ? message : undefined;
    const common = explanation(recordAt(body, "commonAnnotations"));
    const links = (
      [
        ["Dashboard", addressIn(body, "dashboardURL")],
        ["Panel", addressIn(body, "panelURL")],
        ["Runbook", addressIn(body, "annotations", "runbook_url")],
        ["Silence", addressIn(body, "silenceURL")],
      ] as const
    ).flatMap(([label, url]) => (url === undefined ? [] : [{ label, url }]));
    const part = partOf({
      title: titleWithout(textAt(body, "title")) ?? titleOf(body),
      state: stateOf(body),
      url: addressIn(body, "generatorURL") ?? textAt(body, "externalURL"),
      text: said ?? (common && escapeMarkdown(common)),
      fields: fieldsOf(body),
      lists: listsOf(body),
      picture: addressIn(body, "imageURL"),
      links,
    });
    return { card: { parts: [part] }, thread: threadOf(body) };
  },
};

/** `[FIRING:2] High load (blue)` without what the state says. */
function titleWithout(title: string | undefined): string | undefined {
  return title?.replace(/^\s*\[[A-Z]+(?::\d+)?(?:, [A-Z]+:\d+)?\]\s*/, "").trim() || undefined;
}
