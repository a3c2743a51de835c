-- What passages are found by: their words, prepared by the service (scripts without blanks are cut into pairs of letters). The text itself stays in its own table.
CREATE VIRTUAL TABLE chunk_search USING fts5(headings, body, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2');
--> statement-breakpoint
CREATE TRIGGER file_chunks_delete_rest AFTER DELETE ON file_chunks BEGIN
  DELETE FROM chunk_search WHERE rowid = old.number;
  DELETE FROM chunk_vectors WHERE chunk = old.number;
END;
--> statement-breakpoint
-- A text goes with its row, whatever takes it away: a newer one, its file, its person.
CREATE TRIGGER file_texts_drop AFTER DELETE ON file_texts BEGIN
  INSERT INTO dropped_blobs (key) VALUES ('files/' || old.file_id || '/text/' || old.version) ON CONFLICT DO NOTHING;
  INSERT INTO dropped_chunks (file_id, version) VALUES (old.file_id, old.version) ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER uploads_drop AFTER DELETE ON uploads BEGIN
  INSERT INTO dropped_uploads (storage_id, key) VALUES (old.storage_id, old.key) ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER files_delete_rest AFTER DELETE ON files BEGIN
  DELETE FROM jobs WHERE kind IN ('extract', 'embed') AND subject = old.id;
  DELETE FROM model_knowledge WHERE kind = 'file' AND target_id = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER knowledge_delete_rest AFTER DELETE ON knowledge BEGIN
  DELETE FROM grants WHERE resource_type = 'knowledge' AND resource_id = old.id;
  DELETE FROM model_knowledge WHERE kind = 'collection' AND target_id = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER stored_models_delete_knowledge AFTER DELETE ON stored_models BEGIN DELETE FROM model_knowledge WHERE model_id = old.id; END;
--> statement-breakpoint
-- What models look things up in belongs to the catalogue: an isolate keeps it only while the stamp is the same.
CREATE TRIGGER model_knowledge_insert_stamp AFTER INSERT ON model_knowledge BEGIN UPDATE stamps SET value = value + 1 WHERE name = 'catalog'; END;
--> statement-breakpoint
CREATE TRIGGER model_knowledge_update_stamp AFTER UPDATE ON model_knowledge BEGIN UPDATE stamps SET value = value + 1 WHERE name = 'catalog'; END;
--> statement-breakpoint
CREATE TRIGGER model_knowledge_delete_stamp AFTER DELETE ON model_knowledge BEGIN UPDATE stamps SET value = value + 1 WHERE name = 'catalog'; END;
