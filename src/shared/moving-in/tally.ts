import type { RecordResult } from "./import-target.ts";

export const talliedStates = ["created", "changed", "matched", "left_out", "failed"] as const;
export type TalliedState = (typeof talliedStates)[number];

/** How many records of one kind came to which state; `earlier` are those of runs before, in whichever state they are. */
export type TallyRow = { kind: string; earlier: number } & Record<TalliedState, number>;

/** Counts outcomes by kind, in the order in which kinds come. */
export class Tally {
  readonly #rows = new Map<string, TallyRow>();

  add({ kind, state, earlier }: RecordResult): void {
    let row = this.#rows.get(kind);
    if (!row)
      this.#rows.set(kind, (row = { kind, created: 0, changed: 0, matched: 0, left_out: 0, failed: 0, earlier: 0 }));
    if (earlier) row.earlier += 1;
    else if (state !== "begun") row[state] += 1;
  }

  rows(): TallyRow[] {
    return [...this.#rows.values()];
  }

  sum(state: TalliedState | "earlier"): number {
    return this.rows().reduce((total, row) => total + row[state], 0);
  }
}
