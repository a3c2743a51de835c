CREATE TRIGGER chat_tags_owner AFTER INSERT ON chat_tags WHEN new.user_id IS NULL BEGIN
  UPDATE chat_tags SET user_id = (SELECT user_id FROM chats WHERE id = new.chat_id) WHERE chat_id = new.chat_id AND name = new.name;
END;
--> statement-breakpoint
UPDATE chat_tags SET user_id = (SELECT user_id FROM chats WHERE id = chat_tags.chat_id);
