-- What people find messages of channels by: only the words, kept by triggers; the text stays in its table. A message is in here
-- if and only if it is not being written and not deleted, which is what makes the 'delete' commands (they need the old text)
-- right. `place` holds its organization and its channel, each as one word, so that a search reads the entries of those only.
CREATE VIRTUAL TABLE channel_search USING fts5(place, content, content='', tokenize='unicode61 remove_diacritics 2');
--> statement-breakpoint
CREATE TRIGGER channel_messages_search_insert AFTER INSERT ON channel_messages WHEN new.state <> 'streaming' AND new.deleted_at IS NULL BEGIN
  INSERT INTO channel_search (rowid, place, content)
    VALUES (new.number, replace(new.organization_id, '-', '') || ' ' || replace(new.channel_id, '-', ''), new.content);
END;
--> statement-breakpoint
CREATE TRIGGER channel_messages_search_forget BEFORE UPDATE OF content, state, deleted_at ON channel_messages
WHEN old.state <> 'streaming' AND old.deleted_at IS NULL
  AND (new.state = 'streaming' OR new.deleted_at IS NOT NULL OR new.content <> old.content) BEGIN
  INSERT INTO channel_search (channel_search, rowid, place, content)
    VALUES ('delete', old.number, replace(old.organization_id, '-', '') || ' ' || replace(old.channel_id, '-', ''), old.content);
END;
--> statement-breakpoint
CREATE TRIGGER channel_messages_search_learn AFTER UPDATE OF content, state, deleted_at ON channel_messages
WHEN new.state <> 'streaming' AND new.deleted_at IS NULL
  AND (old.state = 'streaming' OR old.deleted_at IS NOT NULL OR new.content <> old.content) BEGIN
  INSERT INTO channel_search (rowid, place, content)
    VALUES (new.number, replace(new.organization_id, '-', '') || ' ' || replace(new.channel_id, '-', ''), new.content);
END;
--> statement-breakpoint
CREATE TRIGGER channel_messages_search_delete AFTER DELETE ON channel_messages WHEN old.state <> 'streaming' AND old.deleted_at IS NULL BEGIN
  INSERT INTO channel_search (channel_search, rowid, place, content)
    VALUES ('delete', old.number, replace(old.organization_id, '-', '') || ' ' || replace(old.channel_id, '-', ''), old.content);
END;
