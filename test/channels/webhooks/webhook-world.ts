import { channelMembers, channelMessages, channels } from "../../../src/channels/tables.ts";
import type { WebhookView } from "../../../src/channels/webhooks/schema.ts";
import { newId } from "../../../src/lib/id.ts";
import {
  type Answer,
  createWorld,
  defaultOrganizationId,
  type Person,
  type World,
  type WorldOptions,
} from "../../world.ts";

export interface WebhookWorld extends World {
  manager: Person;
  member: Person;
  /** Of the same organization, in no channel. */
  other: Person;
  /** Where `manager` and `member` are. */
  channelId: string;
  addChannel(kind?: "public" | "private" | "direct", organizationId?: string): Promise<string>;
  webhook(name?: string, picture?: string): Promise<WebhookView>;
  /** Posts to the webhook's address. @param body text as it is, anything else as JSON */
  post(webhook: WebhookView, body: unknown, headers?: Record<string, string>): Promise<Answer<Record<string, unknown>>>;
  messages(): Promise<(typeof channelMessages.$inferSelect)[]>;
}

/** A channel with its people, and what it takes to post into it. */
export async function createWebhookWorld(options: WorldOptions = {}): Promise<WebhookWorld> {
  const world = await createWorld(options);
  const manager = await world.person({ name: "Mia" });
  const member = await world.person({ name: "Noa" });
  const other = await world.person({ name: "Olu" });
  const addChannel: WebhookWorld["addChannel"] = async (kind = "private", organizationId = defaultOrganizationId) => {
    const id = newId();
    const now = Date.now();
    const times = { createdAt: now, updatedAt: now };
    await world.db.insert(channels).values({ id, organizationId, userId: manager.id, kind, name: id, ...times });
    await world.db.insert(channelMembers).values([
      { channelId: id, userId: manager.id, role: "manager", joinedAt: now },
      { channelId: id, userId: member.id, joinedAt: now },
    ]);
    return id;
  };
  const channelId = await addChannel();
  return {
    ...world,
    manager,
    member,
    other,
    channelId,
    addChannel,
    async webhook(name = "Deploys", picture) {
      const { status, body } = await world.call<WebhookView>(`/api/v1/channels/${channelId}/webhooks/create`, {
        json: { name, ...(picture === undefined ? {} : { profile_image_url: picture }) },
        as: manager,
      });
      if (status !== 200) throw new Error(`making a webhook answered ${status}: ${JSON.stringify(body)}`);
      return body;
    },
    post: (webhook, body, headers = {}) =>
      world.call(new URL(webhook.url!).pathname, {
        method: "POST",
        body: typeof body === "string" ? body : JSON.stringify(body),
        headers: { "content-type": "application/json", ...headers },
      }),
    messages: () => world.db.select().from(channelMessages).orderBy(channelMessages.seq),
  };
}
