import { escapeMarkdown } from "../../cards/escape-markdown.ts";
import type { CardField, CardKind, CardList, CardState } from "../../cards/schema.ts";
import { recordAt, recordsOf, textAt, timeAt } from "./json-fields.ts";
import type { JsonRecord } from "./sender-post.ts";

/** What the bodies of Alertmanager and of Grafana have in common: groups of alerts with labels and annotations. */

/** Of annotations, the ones that say what is wrong, the shortest first. */
const explaining = ["summary", "message", "description"];
/** Labels that say nothing beside the title and state. */
const unsaid: ReadonlySet<string> = new Set(["alertname", "grafana_folder", "__alert_rule_uid__"]);

/** `Firing` in the colour of its severity, or `Resolved`. */
export function stateOf(body: JsonRecord): CardState {
  if (textAt(body, "status") === "resolved") return { kind: "good", word: "Resolved" };
  return { kind: kindOf(textAt(body, "commonLabels", "severity")), word: "Firing" };
}

function kindOf(severity: string | undefined): CardKind {
  if (/^(?:warn|minor|low)/i.test(severity ?? "")) return "warn";
  return /^(?:info|none|debug)/i.test(severity ?? "") ? "info" : "bad";
}

/** What is firing, and what is resolved. */
export function listsOf(body: JsonRecord): CardList[] {
  const alerts = recordsOf(body["alerts"]);
  const common = commonLabels(body);
  const isResolved = (alert: JsonRecord) => textAt(alert, "status") === "resolved";
  const list = (state: CardState, of: JsonRecord[], more = 0): CardList[] =>
    of.length + more === 0 ? [] : [{ state, items: of.map((alert) => itemOf(alert, common)), more }];
  const truncated = Math.max(0, Math.trunc(Number(textAt(body, "truncatedAlerts") ?? 0)) || 0);
  const firing = alerts.filter((alert) => !isResolved(alert));
  return [
    ...list({ ...stateOf({ ...body, status: "firing" }) }, firing, firing.length > 0 ? truncated : 0),
    ...list({ kind: "good", word: "Resolved" }, alerts.filter(isResolved), firing.length > 0 ? 0 : truncated),
  ];
}

/** What is said of one alert, and by which labels it differs from the others. */
function itemOf(alert: JsonRecord, common: ReadonlySet<string>): CardList["items"][number] {
  const said = explanation(recordAt(alert, "annotations"));
  const differing = Object.entries(recordAt(alert, "labels") ?? {})
    .filter(([name]) => !common.has(name) && !unsaid.has(name))
    .slice(0, 6)
    .map(([name, value]) => `${name}=${String(value)}`);
  const values = Object.entries(recordAt(alert, "values") ?? {})
    .filter(([, value]) => typeof value === "number")
    .slice(0, 4)
    .map(
      ([name, value]) =>
        `${name} = ${Number(value)
          .toPrecision(6)
          .replace(/\.?0+$/, "")}`,
    );
  const name = textAt(alert, "labels", "alertname");
  const words = said ?? (differing.length > 0 ? undefined : name) ?? "";
  const details = [...differing, ...values].join(", ");
  const text = [escapeMarkdown(words), details && `\`${details.replaceAll("`", "'")}\``].filter(Boolean).join(" ");
  const isResolved = textAt(alert, "status") === "resolved";
  return {
    text: text || "Alert",
    url: textAt(alert, "panelURL") ?? textAt(alert, "generatorURL"),
    at: timeAt(alert, isResolved ? "endsAt" : "startsAt") ?? timeAt(alert, "startsAt"),
  };
}

/** What the annotations of all alerts say; undefined where each says it for itself. */
export function explanation(annotations: JsonRecord | undefined): string | undefined {
  return explaining.map((name) => textAt(annotations, name)).find((text) => text !== undefined);
}

function commonLabels(body: JsonRecord): ReadonlySet<string> {
  return new Set(Object.keys(recordAt(body, "commonLabels") ?? {}));
}

/** Labels that all alerts have. */
export function fieldsOf(body: JsonRecord): CardField[] {
  return Object.entries(recordAt(body, "commonLabels") ?? {})
    .filter(([name, value]) => !unsaid.has(name) && typeof value === "string" && value !== "")
    .slice(0, 12)
    .map(([name, value]) => ({ name, value: escapeMarkdown(String(value)), is_short: true }));
}

/** The name of the alert, or what the group stands for. */
export function titleOf(body: JsonRecord): string {
  const group = Object.values(recordAt(body, "groupLabels") ?? {}).filter((value) => typeof value === "string");
  const name = textAt(body, "commonLabels", "alertname") ?? group.join(" ");
  const names = recordsOf(body["alerts"]).map((alert) => textAt(alert, "labels", "alertname"));
  return name || [...new Set(names.filter((each) => each !== undefined))].slice(0, 3).join(", ") || "Alerts";
}

/** The first address under one of these names in the alerts. */
export function addressIn(body: JsonRecord, ...names: string[]): string | undefined {
  for (const alert of recordsOf(body["alerts"])) {
    const url = textAt(alert, ...names);
    if (url !== undefined) return url;
  }
  return undefined;
}

/** The group, or the one alert that it is about. */
export function keyOf(body: JsonRecord): string | undefined {
  const alerts = recordsOf(body["alerts"]);
  const group = textAt(body, "groupKey");
  // Of a group by nothing, the key is the same for everything.
  if (group !== undefined && !/^\{\}(?:\/\{[^{}]*\})*:\{\}$/.test(group)) return `group ${group}`;
  const fingerprint = alerts.length === 1 ? textAt(alerts[0], "fingerprint") : undefined;
  return fingerprint !== undefined ? `alert ${fingerprint}` : group && `group ${group}`;
}
