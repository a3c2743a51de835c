import type { Context as HonoContext } from "hono";
import { type AppEnvironment, contextOf } from "../../../http/routes.ts";
import { callerOf } from "./caller.ts";
import { readDevice } from "./known-device.ts";
import type { SignInClient } from "./known-network.ts";

/** What a request that may sign somebody in says of where it comes from. */
export async function readClient(c: HonoContext<AppEnvironment>): Promise<SignInClient> {
  const ctx = contextOf(c);
  const { headers } = c.req.raw;
  return { ...callerOf(ctx, headers), device: await readDevice(ctx, headers) };
}
