import type { Filter } from "../filter/filter.ts";

/**
 * One change of the members, in order. `removeWhere`: those whose member object (value, display, type, $ref) matches.
 */
export type MemberStep =
  | { kind: "add" | "remove" | "replace"; ids: string[] }
  | { kind: "removeAll" }
  | { kind: "removeWhere"; filter: Filter };

type Stretch = { whole: Set<string> } | { changes: Map<string, "add" | "remove"> } | { filter: Filter };

/**
 * Collects changes into as few steps as possible: neighbours are merged, so that adjacent `remove` and `add` never name
 * the same member, and nothing comes before a `replace` or `removeAll`.
 */
export class MemberSteps {
  private stretches: Stretch[] = [];

  add(ids: Iterable<string>): void {
    const last = this.changeable();
    for (const id of ids) {
      if ("whole" in last) last.whole.add(id);
      else last.changes.set(id, "add");
    }
  }

  remove(ids: Iterable<string>): void {
    const last = this.changeable();
    for (const id of ids) {
      if ("whole" in last) last.whole.delete(id);
      else last.changes.set(id, "remove");
    }
  }

  removeWhere(filter: Filter): void {
    this.stretches.push({ filter });
  }

  replace(ids: Iterable<string>): void {
    this.stretches = [{ whole: new Set(ids) }];
  }

  steps(): MemberStep[] {
    return this.stretches.flatMap((stretch): MemberStep[] => {
      if ("filter" in stretch) return [{ kind: "removeWhere", filter: stretch.filter }];
      if ("whole" in stretch) {
        return [stretch.whole.size > 0 ? { kind: "replace", ids: [...stretch.whole] } : { kind: "removeAll" }];
      }
      const ids = (wanted: "add" | "remove") =>
        [...stretch.changes].filter(([, change]) => change === wanted).map(([id]) => id);
      return (["remove", "add"] as const)
        .map((kind) => ({ kind, ids: ids(kind) }))
        .filter((step) => step.ids.length > 0);
    });
  }

  private changeable(): Exclude<Stretch, { filter: Filter }> {
    const last = this.stretches.at(-1);
    if (last && !("filter" in last)) return last;
    const fresh = { changes: new Map<string, "add" | "remove">() };
    this.stretches.push(fresh);
    return fresh;
  }
}
