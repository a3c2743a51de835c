import { escapeMarkdown } from "../../cards/escape-markdown.ts";
import type { CardField, CardState } from "../../cards/schema.ts";
import { numberAt, partOf, recordAt, recordsOf, textAt, timeAt, valueAt } from "./json-fields.ts";
import type { Sender } from "./sender-post.ts";

const states: readonly CardState[] = [
  { kind: "bad", word: "Down" },
  { kind: "good", word: "Up" },
  { kind: "warn", word: "Pending" },
  { kind: "info", word: "Maintenance" },
];

/** Uptime Kuma's webhook notification. https://github.com/louislam/uptime-kuma/wiki/Notification-Methods */
export const uptimeKuma: Sender = {
  name: "Uptime Kuma",
  recognize: (body) => typeof body["msg"] === "string" && "heartbeat" in body && "monitor" in body,
  read(body) {
    const message = textAt(body, "msg");
    const beat = recordAt(body, "heartbeat");
    const monitor = recordAt(body, "monitor");
    // A test, and what concerns a certificate, come without them.
    if (!beat) {
      const name = textAt(monitor, "name");
      const text = message && escapeMarkdown(message);
      return name === undefined
        ? { card: { parts: [], ...(text === undefined ? {} : { lead: text }) } }
        : { card: { parts: [partOf({ title: name, url: textAt(monitor, "url"), text })] } };
    }
    const status = numberAt(beat, "status");
    const state = states[status ?? -1];
    const id = textAt(monitor, "id") ?? textAt(beat, "monitorID");
    const said = textAt(beat, "msg") ?? message;
    const part = partOf({
      title: textAt(monitor, "name") ?? message ?? "Monitor",
      url: textAt(monitor, "url"),
      state,
      text: said && escapeMarkdown(said),
      fields: fieldsOf(monitor, beat),
      footer: "Uptime Kuma",
      at: beatTime(beat),
    });
    const isOpen = status === undefined || state === undefined ? undefined : status !== 1;
    return {
      card: { parts: [part] },
      thread: id === undefined ? undefined : { key: `monitor ${id}`, isOpen, restarts: true, head: "all" },
    };
  },
};

function fieldsOf(monitor: unknown, beat: unknown): CardField[] {
  const host = [textAt(monitor, "hostname"), textAt(monitor, "port")].filter(Boolean).join(":");
  const ping = numberAt(beat, "ping");
  const tags = recordsOf(valueAt(monitor, "tags"))
    .map((tag) => [textAt(tag, "name"), textAt(tag, "value")].filter(Boolean).join(": "))
    .filter(Boolean);
  const fields: [string, string | undefined][] = [
    ["Type", textAt(monitor, "type")],
    ["Host", host || undefined],
    ["Ping", ping === undefined ? undefined : `${ping} ms`],
    ["Tags", tags.join(", ") || undefined],
  ];
  return fields.flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value: escapeMarkdown(value), is_short: true }],
  );
}

/** `2026-05-04 09:30:11.123`, which is UTC. */
function beatTime(beat: unknown): number | undefined {
  const text = textAt(beat, "time");
  return timeAt({ time: text?.replace(/^(\d{4}-\d\d-\d\d) ([\d:.]+)$/, "$1T$2Z") }, "time");
}
