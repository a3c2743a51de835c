-- Search in scripts without spaces between words (Chinese, Japanese, Thai and others) and in Korean. The other indexes have whole runs
-- of such letters as words, in which nothing is found; texts were compared one by one: all of a person's messages for each search.
-- These have the pairs of letters, made by the service (src/db/search-words.ts), and all other words of such texts.
-- A text that has such letters waits in `unpaired_texts` until the service has seen it; a search compares what waits.
CREATE TABLE `unpaired_texts` (
	`source` text NOT NULL,
	`number` integer NOT NULL,
	`owner` text NOT NULL,
	`version` text NOT NULL,
	PRIMARY KEY(`source`, `number`)
);
--> statement-breakpoint
CREATE INDEX `unpaired_texts_owner` ON `unpaired_texts` (`source`,`owner`,`number`);
--> statement-breakpoint
CREATE VIRTUAL TABLE message_pairs USING fts5(user_id, content, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 2 categories 'L* N* Co M*'", prefix='1 2 3 4');
--> statement-breakpoint
CREATE VIRTUAL TABLE chat_pairs USING fts5(user_id, title, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 2 categories 'L* N* Co M*'", prefix='1 2 3 4');
--> statement-breakpoint
CREATE VIRTUAL TABLE channel_pairs USING fts5(place, content, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 2 categories 'L* N* Co M*'", prefix='1 2 3 4');
--> statement-breakpoint
-- What a text with such letters is like, for GLOB: it has one of these ranges, which hold more than the scripts alone.
CREATE VIEW unspaced AS SELECT '*['
  || char(0x0E00) || '-' || char(0x19FF) || char(0x2E80) || '-' || char(0xD7FF) || char(0xF900) || '-' || char(0xFAFF)
  || char(0xFF66) || '-' || char(0xFFDC) || char(0x11000) || '-' || char(0x1B2FF) || char(0x1F200) || char(0x20000) || '-' || char(0x3FFFF)
  || ']*' AS pattern;
--> statement-breakpoint
CREATE TRIGGER messages_pairs_insert AFTER INSERT ON messages
WHEN new.state <> 'streaming' AND octet_length(new.content) > length(new.content) AND new.content GLOB (SELECT pattern FROM unspaced) BEGIN
  INSERT INTO unpaired_texts (source, number, owner, version) VALUES ('messages', new.number, new.user_id, hex(randomblob(8)));
END;
--> statement-breakpoint
CREATE TRIGGER messages_pairs_update AFTER UPDATE OF content, state ON messages
WHEN (old.state <> 'streaming' OR new.state <> 'streaming') AND (new.content <> old.content OR (new.state = 'streaming') <> (old.state = 'streaming')) BEGIN
  DELETE FROM message_pairs WHERE rowid = old.number;
  DELETE FROM unpaired_texts WHERE source = 'messages' AND number = old.number;
  INSERT INTO unpaired_texts (source, number, owner, version) SELECT 'messages', new.number, new.user_id, hex(randomblob(8))
    WHERE new.state <> 'streaming' AND octet_length(new.content) > length(new.content) AND new.content GLOB (SELECT pattern FROM unspaced);
END;
--> statement-breakpoint
CREATE TRIGGER messages_pairs_delete AFTER DELETE ON messages WHEN old.state <> 'streaming' BEGIN
  DELETE FROM message_pairs WHERE rowid = old.number;
  DELETE FROM unpaired_texts WHERE source = 'messages' AND number = old.number;
END;
--> statement-breakpoint
CREATE TRIGGER chats_pairs_insert AFTER INSERT ON chats
WHEN octet_length(new.title) > length(new.title) AND new.title GLOB (SELECT pattern FROM unspaced) BEGIN
  INSERT INTO unpaired_texts (source, number, owner, version) VALUES ('chats', new.number, new.user_id, hex(randomblob(8)));
END;
--> statement-breakpoint
CREATE TRIGGER chats_pairs_update AFTER UPDATE OF title ON chats WHEN new.title <> old.title BEGIN
  DELETE FROM chat_pairs WHERE rowid = old.number;
  DELETE FROM unpaired_texts WHERE source = 'chats' AND number = old.number;
  INSERT INTO unpaired_texts (source, number, owner, version) SELECT 'chats', new.number, new.user_id, hex(randomblob(8))
    WHERE octet_length(new.title) > length(new.title) AND new.title GLOB (SELECT pattern FROM unspaced);
END;
--> statement-breakpoint
CREATE TRIGGER chats_pairs_delete AFTER DELETE ON chats BEGIN
  DELETE FROM chat_pairs WHERE rowid = old.number;
  DELETE FROM unpaired_texts WHERE source = 'chats' AND number = old.number;
END;
--> statement-breakpoint
CREATE TRIGGER channel_messages_pairs_insert AFTER INSERT ON channel_messages
WHEN new.state <> 'streaming' AND new.deleted_at IS NULL AND octet_length(new.content) > length(new.content) AND new.content GLOB (SELECT pattern FROM unspaced) BEGIN
  INSERT INTO unpaired_texts (source, number, owner, version) VALUES ('channel_messages', new.number, new.organization_id, hex(randomblob(8)));
END;
--> statement-breakpoint
CREATE TRIGGER channel_messages_pairs_update AFTER UPDATE OF content, state, deleted_at ON channel_messages
WHEN (old.state <> 'streaming' OR new.state <> 'streaming')
  AND (new.content <> old.content OR (new.state = 'streaming') <> (old.state = 'streaming') OR (new.deleted_at IS NULL) <> (old.deleted_at IS NULL)) BEGIN
  DELETE FROM channel_pairs WHERE rowid = old.number;
  DELETE FROM unpaired_texts WHERE source = 'channel_messages' AND number = old.number;
  INSERT INTO unpaired_texts (source, number, owner, version) SELECT 'channel_messages', new.number, new.organization_id, hex(randomblob(8))
    WHERE new.state <> 'streaming' AND new.deleted_at IS NULL AND octet_length(new.content) > length(new.content) AND new.content GLOB (SELECT pattern FROM unspaced);
END;
--> statement-breakpoint
CREATE TRIGGER channel_messages_pairs_delete AFTER DELETE ON channel_messages WHEN old.state <> 'streaming' AND old.deleted_at IS NULL BEGIN
  DELETE FROM channel_pairs WHERE rowid = old.number;
  DELETE FROM unpaired_texts WHERE source = 'channel_messages' AND number = old.number;
END;
--> statement-breakpoint
INSERT INTO unpaired_texts (source, number, owner, version) SELECT 'messages', number, user_id, '' FROM messages
  WHERE state <> 'streaming' AND octet_length(content) > length(content) AND content GLOB (SELECT pattern FROM unspaced);
--> statement-breakpoint
INSERT INTO unpaired_texts (source, number, owner, version) SELECT 'chats', number, user_id, '' FROM chats
  WHERE octet_length(title) > length(title) AND title GLOB (SELECT pattern FROM unspaced);
--> statement-breakpoint
INSERT INTO unpaired_texts (source, number, owner, version) SELECT 'channel_messages', number, organization_id, '' FROM channel_messages
  WHERE state <> 'streaming' AND deleted_at IS NULL AND octet_length(content) > length(content) AND content GLOB (SELECT pattern FROM unspaced);
