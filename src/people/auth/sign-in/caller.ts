import type { Context } from "../../../context.ts";
import { clientAddress } from "../../../http/client-address.ts";

/** Where a sign-in comes from, as the audit log keeps it. */
export interface Caller {
  /** Network address, where known. */
  address: string | undefined;
  userAgent: string;
}

/** @param headers of the request */
export function callerOf({ environment }: Pick<Context, "environment">, headers: Headers): Caller {
  return { address: clientAddress(environment, headers), userAgent: headers.get("user-agent") ?? "" };
}

const maxAgent = 200;

/** The fields of a row of the audit log. */
export function callerDetail({ address, userAgent }: Caller): { address?: string; user_agent?: string } {
  const agent = userAgent.replaceAll(/[\p{Cc}\p{Cs}]+/gu, " ").slice(0, maxAgent);
  return { ...(address === undefined ? {} : { address }), ...(agent === "" ? {} : { user_agent: agent }) };
}
