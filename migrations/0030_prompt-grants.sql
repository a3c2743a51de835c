-- Grants name resources of several kinds, so no foreign key can take them along.
CREATE TRIGGER prompts_delete_grants AFTER DELETE ON prompts BEGIN
  DELETE FROM grants WHERE resource_type = 'prompt' AND resource_id = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER chat_shares_delete_grants AFTER DELETE ON chat_shares BEGIN
  DELETE FROM grants WHERE resource_type = 'shared_chat' AND resource_id = old.id;
END;
