-- Whoever remembers the members of a channel (its object, to tell them what is said) looks at this number first.
CREATE TRIGGER channel_members_insert AFTER INSERT ON channel_members BEGIN
  UPDATE channels SET members_version = members_version + 1 WHERE id = new.channel_id;
END;
--> statement-breakpoint
CREATE TRIGGER channel_members_delete AFTER DELETE ON channel_members BEGIN
  UPDATE channels SET members_version = members_version + 1 WHERE id = old.channel_id;
END;
--> statement-breakpoint
-- Whoever moves to another organization leaves the channels of the one before, whichever way they are moved.
CREATE TRIGGER users_leave_channels AFTER UPDATE OF organization_id ON users WHEN new.organization_id IS NOT old.organization_id BEGIN
  DELETE FROM channel_members WHERE user_id = new.id AND channel_id IN (SELECT id FROM channels WHERE organization_id IS NOT new.organization_id);
END;
