import type { ChannelMessage, ChannelView } from "../../../../src/channels/schema.ts";

/** A message of Ada with what a test is about. */
export function aMessage(given: Partial<ChannelMessage> = {}): ChannelMessage {
  const seq = given.seq ?? 1;
  return {
    id: `m${seq}`,
    channel_id: "c1",
    seq,
    user_id: "ada",
    parent_id: null,
    reply_to_id: null,
    reply_to_message: null,
    content: `Message ${seq}`,
    files: [],
    data: false,
    meta: {},
    state: "done",
    error: null,
    user: { id: "ada", name: "Ada", role: "user", profile_image_url: "/a.png", is_deleted: false },
    reactions: [],
    reply_count: 0,
    latest_reply_at: null,
    is_pinned: false,
    pinned_at: null,
    pinned_by: null,
    edited_at: null,
    deleted_at: null,
    created_at: Date.UTC(2026, 10, 22, 10, 0, seq),
    updated_at: Date.UTC(2026, 10, 22, 10, 0, seq),
    ...given,
  };
}

/** A public channel that the reader is in. */
export function aChannel(given: Partial<ChannelView> = {}): ChannelView {
  return {
    id: "c1",
    organization_id: "o1",
    user_id: "ada",
    type: null,
    name: "quay",
    description: "",
    is_private: false,
    data: {},
    meta: {},
    created_at: 1,
    updated_at: 1,
    last_message_at: null,
    head: 0,
    is_member: true,
    is_manager: false,
    write_access: true,
    unread_count: 0,
    mention_count: 0,
    last_read: 0,
    last_read_at: null,
    user_count: 2,
    ...given,
  };
}
