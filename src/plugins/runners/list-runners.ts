import * as z from "zod";
import { requireAdmin } from "../../access.ts";
import type { Context } from "../../context.ts";
import { selectPluginIndex } from "../plugin-index.ts";
import { attachedRunners } from "./check-runner.ts";
import type { RunnerView } from "./schema.ts";

/** Milliseconds that a runner has to say how it is. */
const timeoutMs = 5000;
/** Largest answer, in bytes. */
const maxLength = 500_000;
/** What the service and its runners have to agree on. */
const protocol = 1;

/** What a runner says at `/health`: it may be any program, so nothing else is taken. */
const health = z.object({
  protocol: z.number().int(),
  python: z.string().max(50),
  processes: z.number().int().min(0),
  max_processes: z.number().int().min(0),
  memory: z.number().int().min(0),
  network_wall: z.boolean(),
  network_wall_reason: z.string().max(1000).nullable(),
  packages: z.array(z.object({ name: z.string().max(300), version: z.string().max(100) })).max(2000),
});

/**
 * The native runners with how they are now and which plugins run there, also plugins of runners that are not attached
 * any more.
 * @throws AppError `forbidden`
 */
export async function listRunners(ctx: Context): Promise<RunnerView[]> {
  requireAdmin(ctx);
  const plugins = await selectPluginIndex(ctx.db);
  const native = Map.groupBy(
    plugins.filter(({ runner }) => runner !== null),
    ({ runner }) => runner!,
  );
  const attached = attachedRunners(ctx);
  const addresses = [...new Set([...attached, ...native.keys()])];
  return Promise.all(
    addresses.map(async (address) => ({
      address,
      attached: attached.includes(address),
      ...(attached.includes(address) ? await ask(ctx, address) : { ...unknown, problem: "detached" as const }),
      plugins: (native.get(address) ?? []).map(({ family, id, name }) => ({ family, id, name })),
    })),
  );
}

const unknown = {
  problem: null,
  status: null,
  python: null,
  processes: null,
  max_processes: null,
  memory: null,
  network_wall: null,
  network_wall_reason: null,
  packages: [],
};

type Condition = Omit<RunnerView, "address" | "attached" | "plugins">;

async function ask(ctx: Context, address: string): Promise<Condition> {
  try {
    const response = await ctx.outbound.trusted(`${address}/health`, {
      headers: { authorization: `Bearer ${ctx.environment.RUNNER_TOKEN ?? ""}` },
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      return { ...unknown, problem: response.status === 401 ? "token" : "answer", status: response.status };
    }
    const text = await response.text();
    const said = health.safeParse(text.length > maxLength ? undefined : JSON.parse(text));
    if (!said.success) return { ...unknown, problem: "answer", status: 200 };
    const { protocol: spoken, ...condition } = said.data;
    return { ...unknown, ...condition, problem: spoken === protocol ? null : "protocol" };
  } catch (error) {
    return { ...unknown, problem: error instanceof SyntaxError ? "answer" : "unreachable" };
  }
}
