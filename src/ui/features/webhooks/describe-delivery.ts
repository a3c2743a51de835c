import type { AttemptView } from "../../../webhooks/schema.ts";
import { locale } from "../../lib/language.ts";
import { texts } from "./texts.ts";
import type { Delivery } from "./webhooks-api.ts";

export interface Described {
  text: string;
  kind: "plain" | "good" | "warn" | "danger" | "info";
}

const number = new Intl.NumberFormat(locale);

/** Such as `96 ms` or `1.2 s`. */
export function formatDuration(milliseconds: number): string {
  return milliseconds < 1000
    ? texts.milliseconds(number.format(milliseconds))
    : texts.seconds((milliseconds / 1000).toLocaleString(locale, { maximumFractionDigits: 1 }));
}

/** How a delivery stands, in a few words: what the last attempt came to, or what it waits for. */
export function describeDelivery(delivery: Delivery): Described {
  const { state, attempt_count: attempts, last_duration: duration } = delivery;
  const said = outcome(delivery.last_status, delivery.last_error);
  if (state === "delivered")
    return {
      text: [said, duration === null ? "" : formatDuration(duration)].filter(Boolean).join(" · "),
      kind: "good",
    };
  if (state === "failed")
    return { text: said ? `${said} · ${texts.states.failed}` : texts.states.failed, kind: "danger" };
  if (state === "cancelled") return { text: texts.states.cancelled, kind: "plain" };
  return attempts === 0 || !said ? { text: texts.states.pending, kind: "info" } : { text: said, kind: "warn" };
}

/** What an attempt came to. */
export function describeAttempt({ response, error, duration }: AttemptView): Described {
  const status = response?.status ?? null;
  const isTaken = error === null && status !== null && status >= 200 && status < 300;
  const text = `${outcome(status, error)} · ${formatDuration(duration)}`;
  return { text, kind: isTaken ? "good" : error === "unfinished" ? "info" : "danger" };
}

function outcome(status: number | null, error: AttemptView["error"]): string {
  if (error) return texts.errors[error];
  return status === null ? "" : String(status);
}
