-- How many members a channel has is counted where they come and go: lists of channels need not.
DROP TRIGGER channel_members_insert;
--> statement-breakpoint
DROP TRIGGER channel_members_delete;
--> statement-breakpoint
CREATE TRIGGER channel_members_insert AFTER INSERT ON channel_members BEGIN
  UPDATE channels SET members_version = members_version + 1, member_count = member_count + 1 WHERE id = new.channel_id;
END;
--> statement-breakpoint
CREATE TRIGGER channel_members_delete AFTER DELETE ON channel_members BEGIN
  UPDATE channels SET members_version = members_version + 1, member_count = member_count - 1 WHERE id = old.channel_id;
END;
--> statement-breakpoint
UPDATE channels SET member_count = (SELECT count(*) FROM channel_members m WHERE m.channel_id = channels.id);
