import * as z from "zod";
import { accountKind } from "../../people/schema.ts";
import { channelPerson, maxNamed } from "../schema.ts";

/** Members per page, as in Open WebUI. */
export const membersInPage = 30;

export const memberRole = z.enum(["manager", "member"]);
export type MemberRole = z.infer<typeof memberRole>;

export const channelMember = z.object({
  ...channelPerson.shape,
  email: z.string(),
  kind: accountKind,
  /** In the whole service. */
  role: z.enum(["admin", "user", "pending"]),
  channel_role: memberRole,
  /** Whether they have been here in the last minutes. */
  is_active: z.boolean(),
  /** Epoch milliseconds. */
  joined_at: z.number().int(),
});
export type ChannelMember = z.infer<typeof channelMember>;

export const memberPage = z.object({ users: z.array(channelMember), total: z.number().int() });
export type MemberPage = z.infer<typeof memberPage>;

const orders = ["name", "email", "role", "joined_at", "last_active_at"] as const;

/** An unknown order means the first one. */
export const memberQuery = z.object({
  query: z.string().max(200).optional(),
  /** `role` is the one in the channel: managers first. */
  order_by: z
    .string()
    .optional()
    .transform((order) => orders.find((one) => one === order) ?? "name"),
  direction: z
    .string()
    .optional()
    .transform((direction) => (direction === "desc" ? ("desc" as const) : ("asc" as const))),
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  limit: z.coerce.number().int().min(1).max(100).default(membersInPage),
});
export type MemberQuery = z.infer<typeof memberQuery>;

/** People, and the members that groups have at this moment. */
const named = z.array(z.string().min(1).max(100)).max(maxNamed);
export const namedPeople = z
  .object({ user_ids: named.default([]), group_ids: named.nullish() })
  .refine(
    ({ user_ids, group_ids }) => user_ids.length + (group_ids?.length ?? 0) > 0,
    "At least one person or group is required",
  );
export type NamedPeople = z.infer<typeof namedPeople>;

export const roleChoice = z.object({ role: memberRole });
/** False hides a direct conversation until the next message. */
export const shownChoice = z.object({ is_active: z.boolean() });
