import * as z from "zod";
import { liveEvent } from "../../shared/live-protocol.ts";

/** The data of each type is checked later: see event.ts. */
export const eventBody = z.looseObject({
  type: z.string().min(1).max(100),
  data: z.unknown().refine((data) => data !== undefined, "is required"),
});

export const answerBody = z.object({ value: z.unknown().optional(), error: z.string().max(4000).optional() });

export const questionList = z.object({ calls: z.array(liveEvent) });
