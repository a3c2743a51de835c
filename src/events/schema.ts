import * as z from "zod";
import { clientFrame } from "../shared/live-protocol.ts";

/** `wait`: ends the answer after the first events, or after so many seconds without any. */
export const streamQuery = z.object({
  wait: z.coerce.number().int().min(0).max(25).optional(),
  visible: z.enum(["true", "false"]).default("false"),
});

/** A frame of a tab without a socket; `session_id` as in its last `welcome`. */
export const saidFrame = z.object({ session_id: z.string().max(100), frame: clientFrame });

export const said = z.object({ status: z.literal(true) });
