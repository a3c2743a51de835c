import type { World } from "../../world.ts";

export interface Installed {
  id: string;
  /** JavaScript or TypeScript. */
  source: string;
  name?: string;
  isActive?: boolean;
  isGlobal?: boolean;
  valves?: Record<string, unknown>;
}

/** Stores a function as administrators do, and switches it on; filters and actions for every model unless told otherwise. */
export async function install(world: World, given: Installed): Promise<void> {
  const { id, source, name = id, isActive = true, valves } = given;
  const { isGlobal = !/class Pipe\b/.test(source) } = given;
  const as = await world.admin();
  const ask = async (path: string, json: unknown): Promise<void> => {
    const { status, body } = await world.call(`/api/v1/functions/${path}`, { as, json });
    if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
  };
  await ask("create", { id, name, content: source, meta: { description: `What ${id} does` } });
  if (isActive) await ask(`id/${id}/toggle`, {});
  if (isGlobal) await ask(`id/${id}/toggle/global`, {});
  if (valves) await ask(`id/${id}/valves/update`, valves);
}
