import type { Banner } from "../../settings/banners/schema.ts";
import { readObject } from "../lib/read-object.ts";

const place = "parley:closed-banners";

/** The time stamps of the notices that were closed in this browser, by id. */
export function closedBanners(): Record<string, unknown> {
  return readObject(localStorage.getItem(place) ?? "") ?? {};
}

/** Notes that one was closed, and forgets those that are gone. */
export function closeBanner({ id, timestamp }: Banner, all: readonly Banner[]): Record<string, unknown> {
  const before = closedBanners();
  const kept = all.flatMap((banner) => (banner.id in before ? [[banner.id, before[banner.id]] as const] : []));
  const closed = { ...Object.fromEntries(kept), [id]: timestamp };
  localStorage.setItem(place, JSON.stringify(closed));
  return closed;
}
