import type { Services } from "../context.ts";
import { argument } from "../db/look-up.ts";

interface Writer {
  name: string;
  organization_id: string;
  members_version: number;
}

/** One document, as the fast look-up answers it: who writes, where they are a member now. */
const writer = `SELECT asked.key, json_object('name', u.name, 'organization_id', c.organization_id, 'members_version', c.members_version)
  FROM json_each(?1) asked CROSS JOIN channel_members m JOIN channels c ON c.id = m.channel_id JOIN users u ON u.id = m.user_id
  WHERE m.channel_id = ${argument(0)} AND m.user_id = ${argument(1)} AND c.deleted_at IS NULL AND u.organization_id = c.organization_id`;

/**
 * Tells the other members of a channel that the person is writing; nothing is stored. Ignored for non-members, because
 * tabs expect no response.
 */
export async function sayTyping(
  { lookup, channels }: Pick<Services, "lookup" | "channels">,
  userId: string,
  { channelId, parentId }: { channelId: string; parentId: string | null },
): Promise<void> {
  const document = await lookup({ sql: writer, args: [channelId, userId] });
  if (document === undefined) return;
  const { name, organization_id: organizationId, members_version: membersVersion } = JSON.parse(document) as Writer;
  await channels.tell(
    { id: channelId, organizationId, membersVersion },
    { type: "channel:typing", data: { user: { id: userId, name }, parent_id: parentId } },
  );
}
