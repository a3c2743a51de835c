import type { Quota } from "../../../../usage/quotas/schema.ts";
import { api } from "../../../lib/api.ts";
import { texts } from "./texts.ts";

export type { Quota };

export interface NewQuota {
  scope: Quota["scope"];
  subject_id?: string;
  is_shared: boolean;
  model: string | null;
  unit: Quota["unit"];
  period: Quota["period"];
  amount: number | null;
}

const one = (id: string): string => `/api/v1/quotas/${encodeURIComponent(id)}`;

export async function listQuotas(signal?: AbortSignal): Promise<Quota[]> {
  return (await api<{ quotas: Quota[] }>("GET", "/api/v1/quotas", { signal })).quotas;
}

export const createQuota = (quota: NewQuota): Promise<Quota> => api("POST", "/api/v1/quotas", { body: quota });
export const changeQuota = (id: string, amount: number | null): Promise<Quota> =>
  api("PATCH", one(id), { body: { amount } });
export const deleteQuota = (id: string): Promise<unknown> => api("DELETE", one(id));

/** For whom it is, in words. */
export function whoIn({ scope, subject_name: name, subject_id: id }: Quota): string {
  return scope === "everyone" ? texts.quotas.everyone : (name ?? id ?? "");
}

/** The amount, in words. */
export function amountIn({ amount, unit, period }: Pick<Quota, "amount" | "unit" | "period">): string {
  if (amount === null) return texts.quotas.noLimit;
  return texts.amount(amount, texts.quotas.units[unit], texts.quotas.periods[period]);
}

/** The number in a field; null for one that is none. */
export function readAmount(text: string): number | null {
  const digits = text.trim();
  return /^\d{1,15}$/.test(digits) ? Number(digits) : null;
}
