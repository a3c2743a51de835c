-- What people find their chats by. The text stays in its own tables; these hold only the words, kept by triggers.
-- An answer is indexed when it has ended, not at each step of its writing: a row is here if and only if it is not
-- streaming, which is what makes the 'delete' commands (they need the old text) right.
-- user_id is part of the index, so that a search reads one person's entries only.
CREATE VIRTUAL TABLE message_search USING fts5(user_id, content, content='messages', content_rowid='number', tokenize='unicode61 remove_diacritics 2');
--> statement-breakpoint
CREATE TRIGGER messages_search_insert AFTER INSERT ON messages WHEN new.state <> 'streaming' BEGIN
  INSERT INTO message_search (rowid, user_id, content) VALUES (new.number, new.user_id, new.content);
END;
--> statement-breakpoint
CREATE TRIGGER messages_search_forget BEFORE UPDATE OF content, state ON messages
WHEN old.state <> 'streaming' AND (new.state = 'streaming' OR new.content <> old.content) BEGIN
  INSERT INTO message_search (message_search, rowid, user_id, content) VALUES ('delete', old.number, old.user_id, old.content);
END;
--> statement-breakpoint
CREATE TRIGGER messages_search_learn AFTER UPDATE OF content, state ON messages
WHEN new.state <> 'streaming' AND (old.state = 'streaming' OR new.content <> old.content) BEGIN
  INSERT INTO message_search (rowid, user_id, content) VALUES (new.number, new.user_id, new.content);
END;
--> statement-breakpoint
CREATE TRIGGER messages_search_delete AFTER DELETE ON messages WHEN old.state <> 'streaming' BEGIN
  INSERT INTO message_search (message_search, rowid, user_id, content) VALUES ('delete', old.number, old.user_id, old.content);
END;
--> statement-breakpoint
CREATE VIRTUAL TABLE chat_search USING fts5(user_id, title, content='chats', content_rowid='number', tokenize='unicode61 remove_diacritics 2');
--> statement-breakpoint
CREATE TRIGGER chats_search_insert AFTER INSERT ON chats BEGIN
  INSERT INTO chat_search (rowid, user_id, title) VALUES (new.number, new.user_id, new.title);
END;
--> statement-breakpoint
CREATE TRIGGER chats_search_update AFTER UPDATE OF title ON chats WHEN new.title <> old.title BEGIN
  INSERT INTO chat_search (chat_search, rowid, user_id, title) VALUES ('delete', old.number, old.user_id, old.title);
  INSERT INTO chat_search (rowid, user_id, title) VALUES (new.number, new.user_id, new.title);
END;
--> statement-breakpoint
CREATE TRIGGER chats_search_delete AFTER DELETE ON chats BEGIN
  INSERT INTO chat_search (chat_search, rowid, user_id, title) VALUES ('delete', old.number, old.user_id, old.title);
END;
