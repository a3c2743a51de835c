import type { History, HistorySpan } from "../../../../metrics/history/schema.ts";
import type { PlotBar } from "../../../components/plot/plot-bar.ts";
import { describeSize } from "../../../lib/files/texts.ts";
import { locale } from "../../../lib/language.ts";
import { texts } from "./texts.ts";

type Figures = NonNullable<History["points"][number]["figures"]>;

const number = new Intl.NumberFormat(locale);
const compact = new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 });
const whole = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
const time = new Intl.DateTimeFormat(locale, { hour: "numeric", minute: "2-digit" });
const day = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" });

/** One plot of the overview. */
export interface HistoryPlot {
  title: string;
  parts: { lower: string; upper?: string };
  read(figures: Figures): { lower: number; upper: number };
  format(value: number): string;
  formatTick(value: number): string;
  isBad?: boolean;
}

const { plots } = texts.history;
const seconds = (ms: number) => texts.history.seconds(number.format(Math.round(ms / 100) / 10));

export const historyPlots: readonly HistoryPlot[] = [
  {
    ...plots.requests,
    read: ({ requests, errors }) => ({ lower: requests - errors, upper: errors }),
    format: number.format,
    formatTick: compact.format,
    isBad: true,
  },
  {
    ...plots.firstByte,
    read: ({ first_byte_ms: ms }) => ({ lower: ms ?? 0, upper: 0 }),
    format: seconds,
    formatTick: seconds,
  },
  {
    ...plots.tokens,
    read: ({ tokens_in: lower, tokens_out: upper }) => ({ lower, upper }),
    format: number.format,
    formatTick: compact.format,
  },
  {
    ...plots.jobs,
    read: ({ jobs }) => ({ lower: jobs, upper: 0 }),
    format: number.format,
    formatTick: compact.format,
  },
  {
    ...plots.people,
    read: ({ people }) => ({ lower: people, upper: 0 }),
    format: number.format,
    formatTick: compact.format,
  },
  {
    ...plots.disk,
    read: ({ disk_used: used, disk_size: size }) => ({ lower: used, upper: size - used }),
    format: describeSize,
    formatTick: describeSize,
  },
];

/** What nobody recorded is empty in the plot, and said in the table. */
export function barsOf({ points }: History, span: HistorySpan, plot: HistoryPlot): PlotBar[] {
  return points.map(({ at, figures }) => {
    const values = figures ? plot.read(figures) : { lower: 0, upper: 0 };
    const shown = plot.parts.upper === undefined ? [values.lower] : [values.lower, values.upper];
    return {
      key: String(at),
      name: whole.format(at * 1000),
      short: (span === "week" ? day : time).format(at * 1000),
      ...values,
      cells: shown.map((value) => (figures ? plot.format(value) : texts.history.nothing)),
    };
  });
}
