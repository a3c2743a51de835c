import type { User } from "../../access.ts";
import type { QuotaScope } from "./schema.ts";
import type { countedKinds, quotaCounters, quotas } from "./tables.ts";

export type QuotaRow = Omit<typeof quotas.$inferSelect, "createdAt" | "updatedAt"> & {
  /** The subject's; null for everyone. */
  subjectName: string | null;
};

/** A counter that must stay below an amount. */
export interface Limit {
  kind: (typeof countedKinds)[number];
  subjectId: string;
  model: string;
  unit: (typeof quotaCounters.$inferSelect)["unit"];
  period: (typeof quotaCounters.$inferSelect)["period"];
  amount: number;
  /** Name of the key, group or organization. */
  name: string | null;
}

/** Whom quotas apply to. */
export type Limited = Pick<User, "id" | "organizationId" | "groupIds" | "credential">;

/** The more specific first. */
const order: readonly QuotaScope[] = ["person", "group", "organization", "everyone"];

/**
 * The limits of a person. Of amounts per person the most specific applies: the person's own, otherwise the largest of
 * their groups', otherwise the organization's, otherwise everyone's. Shared amounts, and those of keys, apply in
 * addition. Limits of an organization's administrators restrict those of system administrators further, and never
 * replace them.
 */
export function applicableLimits(rows: readonly QuotaRow[], person: Limited): Limit[] {
  const mine = rows.filter((row) => isMine(row, person));
  const shared = mine.filter((row) => row.scope === "key" || (row.isShared && row.scope !== "person"));
  const each = Map.groupBy(
    mine.filter((row) => !shared.includes(row)),
    ({ organizationId, model, unit, period }) => JSON.stringify([organizationId, model, unit, period]),
  );
  return [...shared, ...[...each.values()].map(mostSpecific)].flatMap((row) => toLimit(row, person));
}

function isMine({ organizationId, scope, subjectId }: QuotaRow, person: Limited): boolean {
  if (organizationId !== "" && organizationId !== person.organizationId) return false;
  switch (scope) {
    case "everyone":
      return true;
    case "organization":
      return subjectId === person.organizationId;
    case "group":
      return person.groupIds.includes(subjectId);
    case "person":
      return subjectId === person.id;
    case "key":
      return person.credential.kind === "api-key" && person.credential.keyId === subjectId;
  }
}

function mostSpecific(rows: readonly QuotaRow[]): QuotaRow {
  const amount = ({ amount: given }: QuotaRow) => given ?? Infinity;
  return rows.reduce((best, row) => {
    const closer = order.indexOf(row.scope) - order.indexOf(best.scope);
    return closer < 0 || (closer === 0 && amount(row) > amount(best)) ? row : best;
  });
}

function toLimit(row: QuotaRow, person: Limited): Limit[] {
  const { scope, subjectId, isShared, model, unit, period, amount, subjectName } = row;
  if (amount === null) return [];
  const common = { model, unit, period, amount };
  if (scope === "key" || (isShared && scope !== "person"))
    return [{ ...common, kind: scope, subjectId, name: subjectName }];
  return [{ ...common, kind: "person", subjectId: person.id, name: null }];
}
