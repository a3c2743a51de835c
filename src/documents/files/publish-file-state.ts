import { eq } from "drizzle-orm";
import type { Services } from "../../context.ts";
import { statusOf, type StateRow } from "./file-status.ts";
import { files } from "./tables.ts";

/** What a status is made of. */
export const stateColumns = {
  id: files.id,
  userId: files.userId,
  state: files.state,
  stage: files.stage,
  progressDone: files.progressDone,
  progressTotal: files.progressTotal,
  progressUnit: files.progressUnit,
  errorCode: files.errorCode,
  error: files.error,
};

/** Tells the owner's tabs where a file stands; never fails the caller. */
export async function publishFileState(services: Pick<Services, "db" | "live" | "log">, fileId: string): Promise<void> {
  try {
    const [row] = await services.db.select(stateColumns).from(files).where(eq(files.id, fileId));
    if (row) await publishState(services, row);
  } catch (error) {
    services.log.warn("could not notify tabs of a file", { file: fileId, error });
  }
}

/** The same where the state is known. */
export async function publishState(
  services: Pick<Services, "live">,
  row: StateRow & { id: string; userId: string },
): Promise<void> {
  await services.live.publish(row.userId, { data: { type: "file:status", data: { id: row.id, ...statusOf(row) } } });
}
