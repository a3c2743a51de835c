CREATE TABLE `dropped_blobs` (
	`key` text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
-- Whole results of tools go with the message, whatever takes it away.
CREATE TRIGGER message_items_drop_result AFTER DELETE ON message_items WHEN old.kind = 'tool' AND old.data ->> '$.file.id' IS NOT NULL BEGIN
  INSERT INTO dropped_blobs (key) VALUES ('tool-results/' || old.chat_id || '/' || (old.data ->> '$.file.id')) ON CONFLICT DO NOTHING;
END;
