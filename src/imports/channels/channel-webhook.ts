import * as z from "zod";
import { channelWebhookFaces, channelWebhookPictures, channelWebhooks } from "../../channels/tables.ts";
import { readPictureChange } from "../../channels/webhooks/read-picture-change.ts";
import { storedToken } from "../../channels/webhooks/webhook-rows.ts";
import { newId } from "../../lib/id.ts";
import { defineKind } from "../kind.ts";
import { givenNotes, nameFrom, optionalId, optionalTime, takenIn } from "../record-parts.ts";
import { anyRecord, sourceId } from "../schema.ts";

/** Times are epoch milliseconds. */
const webhookRecord = anyRecord.extend({
  channel_id: sourceId,
  person_id: optionalId,
  name: z.string().default(""),
  profile_image_url: z.string().nullish(),
  /** The secret of its address, which goes on to post; or only its hash, and then the address isn't shown again. */
  token: z.string().min(1).max(500).nullish(),
  token_hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/, "Expected SHA-256 in hexadecimal")
    .nullish(),
  has_threads: z.boolean().default(true),
  last_used_at: optionalTime,
  created_at: optionalTime,
  updated_at: optionalTime,
  notes: givenNotes,
});

export const channelWebhookKind = defineKind<z.infer<typeof webhookRecord>>({
  shape: webhookRecord,
  references: (record) => [
    { kind: "channel", id: record.channel_id },
    ...(record.person_id ? [{ kind: "person", id: record.person_id }] : []),
  ],
  taken: takenIn("channel_webhooks"),
  async plan(run, record, id) {
    const { ctx } = run;
    const channelId = run.find("channel", record.channel_id);
    if (channelId === undefined) return { leftOut: "Its channel wasn't imported" };
    const notes = [...record.notes];
    if (!record.token && !record.token_hash) return { leftOut: "It has no address" };
    if (id !== record.id) notes.push("Its address has changed: tell what posts to it");
    const url = pictureOf(record.profile_image_url, notes);
    const [faceId, pictureId] = [newId(), newId()];
    // A sealed token that cannot be opened is shown to nobody.
    const token = record.token
      ? await storedToken(ctx, record.token)
      : { tokenHash: record.token_hash!, sealedToken: "" };
    const createdAt = record.created_at ?? ctx.now() * 1000;
    return {
      notes,
      statements: [
        ctx.db.insert(channelWebhooks).values({
          id,
          channelId,
          userId: (record.person_id && run.find("person", record.person_id)) ?? null,
          faceId,
          ...token,
          hasThreads: record.has_threads,
          allowance: 0,
          refilledAt: 0,
          lastUsedAt: record.last_used_at ?? null,
          createdAt,
          updatedAt: record.updated_at ?? createdAt,
        }),
        ...(url === null ? [] : [ctx.db.insert(channelWebhookPictures).values({ id: pictureId, webhookId: id, url })]),
        ctx.db.insert(channelWebhookFaces).values({
          id: faceId,
          webhookId: id,
          name: nameFrom(record.name, { max: 80, otherwise: "Webhook" }),
          pictureId: url === null ? null : pictureId,
          createdAt,
        }),
      ],
    };
  },
});

function pictureOf(url: string | null | undefined, notes: string[]): string | null {
  // What Open WebUI shows for a webhook without a picture.
  if (!url || url.startsWith("/")) return null;
  try {
    return readPictureChange(url.length > 500_000 ? "too large" : url) ?? null;
  } catch {
    notes.push("Its picture was left out: it can't be shown");
    return null;
  }
}
