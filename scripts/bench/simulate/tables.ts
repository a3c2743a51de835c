import { actions, type Costs, type Habits, type Limits, simulate } from "./model.ts";

export const sizes = [1000, 10_000, 100_000, 1_000_000];

const row = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]) =>
  [row(head), `|${head.map((_, at) => (at === 0 ? "---" : "---:")).join("|")}|`, ...rows.map(row)].join("\n");

/** With two digits that say something, and words for large ones. */
function short(value: number): string {
  for (const [size, word] of [
    [1e12, " trillion"],
    [1e9, " billion"],
    [1e6, " million"],
  ] as const)
    if (value >= size) return `${Number((value / size).toPrecision(2))}${word}`;
  return value >= 100 ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(2)));
}

/** What docs/scale.md shows, in Markdown. */
export function scaleTables(costs: Costs, limits: Limits, habits?: Habits): string {
  const each = sizes.map((people) => simulate(people, costs, limits, habits));
  const head = ["", ...sizes.map((people) => short(people))];
  const line = (name: string, of: (one: (typeof each)[number]) => number) => [
    name,
    ...each.map((one) => short(of(one))),
  ];
  const dollars = (name: string, part: keyof (typeof each)[number]["dollars"]) =>
    line(name, (one) => one.dollars[part]);
  return [
    "Measured, for one of each:",
    table(
      ["", "service, ms", "database, ms", "reads", "writes", "rows read", "rows written"],
      actions.map((action) => {
        const { service, database, reads, writes, rowsRead, rowsWritten } = costs[action];
        return [action, ...[service, database, reads, writes, rowsRead, rowsWritten].map(short)];
      }),
    ),
    "In the busiest hour, each second, by the number of people:",
    table(head, [
      line("requests", (one) => one.perSecond.requests),
      line("turns", (one) => one.perSecond.turns),
      line("events to tabs", (one) => one.perSecond.events),
      line("round trips that read", (one) => one.perSecond.reads),
      line("batches that write", (one) => one.perSecond.writes),
      line("objects of people with an open tab", (one) => one.objects.people),
      line("of these awake", (one) => one.objects.awake),
      line("objects of channels", (one) => one.objects.channels),
    ]),
    "In a month; the size after a year:",
    table(head, [
      line("requests", (one) => one.month.requests),
      line("messages in queues", (one) => one.month.queueMessages),
      line("rows read", (one) => one.month.rowsRead),
      line("rows written", (one) => one.month.rowsWritten),
      line("database, GB", (one) => one.month.gigabytes),
    ]),
    "What breaks first: the load of the busiest hour, as a share of what one database can do:",
    table(head, [
      line("writes", (one) => one.load.writes),
      line("reads", (one) => one.load.reads),
      line("size", (one) => one.load.size),
      [
        "breaks first",
        ...each.map(({ breaksFirst, load }) => (load[breaksFirst as "writes"] > 0.7 ? breaksFirst : "nothing")),
      ],
      line("databases that it takes", (one) => one.databases),
      line("copies for reading, beside them", (one) => one.replicas),
    ]),
    "Dollars in a month, without models:",
    table(head, [
      dollars("Workers", "workers"),
      dollars("Durable Objects", "objects"),
      dollars("Queues", "queues"),
      dollars("R2", "files"),
      dollars("database", "database"),
      line("together", (one) => Object.values(one.dollars).reduce((all, part) => all + part, 0)),
      line("for each person", (one) => Object.values(one.dollars).reduce((all, part) => all + part, 0) / one.people),
    ]),
  ].join("\n\n");
}
