-- The bytes of a database go with its row, whatever takes it away, and those of an earlier save with the next one.
CREATE TRIGGER plugin_databases_drop_object AFTER DELETE ON plugin_databases BEGIN
  INSERT INTO dropped_blobs (key) VALUES ('plugin-databases/' || old.object_id) ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER plugin_databases_drop_old_object AFTER UPDATE OF object_id ON plugin_databases WHEN new.object_id <> old.object_id BEGIN
  INSERT INTO dropped_blobs (key) VALUES ('plugin-databases/' || old.object_id) ON CONFLICT DO NOTHING;
END;
