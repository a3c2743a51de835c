-- A channel that has people has a manager: where the last one is gone with their account, or away to another organization,
-- whoever has been in it longest takes their place. Direct ones have no managers.
CREATE TRIGGER channel_members_promote AFTER DELETE ON channel_members WHEN old.role = 'manager' BEGIN
  UPDATE channel_members SET role = 'manager' WHERE channel_id = old.channel_id
    AND user_id = (SELECT m.user_id FROM channel_members m JOIN users u ON u.id = m.user_id WHERE m.channel_id = old.channel_id
      ORDER BY u.active DESC, m.joined_at, m.user_id LIMIT 1)
    AND EXISTS (SELECT 1 FROM channels c WHERE c.id = old.channel_id AND c.deleted_at IS NULL)
    AND NOT EXISTS (SELECT 1 FROM channel_members m WHERE m.channel_id = old.channel_id AND m.role = 'manager');
END;
