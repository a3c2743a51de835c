import type { Outbound } from "../../ports.ts";
import type { Target } from "./driver.ts";

/** How a connection is called: those of people, not of administrators, reach public addresses only. */
export function wayOut(outbound: Outbound, { ownerId }: Pick<Target, "ownerId">): typeof fetch {
  return ownerId === undefined ? outbound.trusted : outbound.guarded;
}
