import type { StatsBucket, WebhookStats } from "../../../webhooks/schema.ts";
import type { PlotBar } from "../../components/plot/plot-bar.ts";
import { locale } from "../../lib/language.ts";
import { formatDuration } from "./describe-delivery.ts";
import { texts } from "./texts.ts";

const number = new Intl.NumberFormat(locale);
// Days are told apart in UTC, and so are their names; an hour is one everywhere, and is named in the person's own time.
const day = {
  name: new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" }),
  short: new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", timeZone: "UTC" }),
};
const hour = {
  name: new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }),
  short: new Intl.DateTimeFormat(locale, { hour: "numeric", minute: "2-digit" }),
};

/** Attempts that were taken below, the others on them. */
export function successBars(stats: WebhookStats): PlotBar[] {
  return barsOf(stats, ({ succeeded, failed }) => ({
    lower: succeeded,
    upper: failed,
    cells: [number.format(succeeded), number.format(failed)],
  }));
}

/** How long half of the answers took at most below, and up to the top how long 95 of 100 did. */
export function latencyBars(stats: WebhookStats): PlotBar[] {
  return barsOf(stats, ({ p50, p95 }) => ({
    lower: p50 ?? 0,
    upper: Math.max(0, (p95 ?? 0) - (p50 ?? 0)),
    cells: [p50, p95].map((value) => (value === null ? texts.plots.nothing : formatDuration(value))),
  }));
}

function barsOf(
  { by, buckets }: WebhookStats,
  read: (bucket: StatsBucket) => Pick<PlotBar, "lower" | "upper" | "cells">,
): PlotBar[] {
  const format = by === "day" ? day : hour;
  return buckets.map((bucket) => ({
    key: String(bucket.at),
    name: format.name.format(bucket.at),
    short: format.short.format(bucket.at),
    ...read(bucket),
  }));
}
