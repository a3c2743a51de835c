import { and, eq } from "drizzle-orm";
import * as z from "zod";
import { AppError } from "../../errors.ts";
import { checkedBaseUrl } from "../../models/connections/check-base-url.ts";
import { newConnectionRows } from "../../models/connections/connections.ts";
import { environmentConnections } from "../../models/connections/environment-connections.ts";
import { newConnection } from "../../models/connections/schema.ts";
import { connections } from "../../models/connections/tables.ts";
import { defineKind, type ImportRun, type Outcome } from "../kind.ts";
import { takenIn } from "../record-parts.ts";
import { leftField, leftNotes } from "../report-notes.ts";
import { sourceId } from "../schema.ts";

const shape = newConnection
  .pick({
    name: true,
    base_url: true,
    key: true,
    headers: true,
    prefix_id: true,
    model_ids: true,
    tags: true,
    enabled: true,
    quirks: true,
    policy: true,
  })
  .extend({
    kind: z.literal("connection"),
    id: sourceId,
    type: z.enum(["openai", "local", "anthropic"]),
    /** The organization whose people use it; everyone where it does not say. */
    organization_id: sourceId.nullish(),
    left: leftField,
  });
type Connection = z.infer<typeof shape>;

/** A provider or local runtime, for everyone. */
export const connectionKind = defineKind<Connection>({
  shape,
  references: ({ organization_id: home }) => (home ? [{ kind: "organization", id: home }] : []),
  taken: takenIn("connections"),
  isIdQuiet: true,
  plan: planConnection,
});

async function planConnection(run: ImportRun, record: Connection, id: string): Promise<Outcome> {
  const { ctx } = run;
  const { type, base_url, prefix_id, organization_id: home } = record;
  const organization_id = home ? run.find("organization", home) : null;
  if (organization_id === undefined) return { leftOut: "Its organization wasn't imported" };
  const baseUrl = checkedBaseUrl(type, base_url);
  const [there] = await ctx.db
    .select({ id: connections.id })
    .from(connections)
    .where(and(eq(connections.baseUrl, baseUrl), eq(connections.prefixId, prefix_id)));
  const locked = environmentConnections(ctx.settings).find(
    (each) => each.baseUrl === baseUrl && each.prefixId === prefix_id,
  );
  const found = there?.id ?? locked?.id;
  if (found !== undefined)
    return { matched: found, notes: ["There is a connection to this address: it stays as it is"] };
  const input = newConnection.safeParse({ ...record, kind: type, organization_id });
  if (!input.success) throw new AppError("validation_failed", input.error.issues[0]!.message);
  const { statements } = await newConnectionRows(ctx, id, input.data);
  // So that a dry run lists what would be connected.
  return { statements, notes: [`Connects to ${new URL(baseUrl).host}`, ...leftNotes(record.left)] };
}
