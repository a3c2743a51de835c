-- A file's bytes go with its row, whatever takes it away: its chat, its person.
CREATE TRIGGER files_drop_bytes AFTER DELETE ON files BEGIN
  INSERT INTO dropped_blobs (key) VALUES ('files/' || old.id) ON CONFLICT DO NOTHING;
END;
