-- What was fetched of a download that comes to nothing is needed by nobody. Where it ended well, its wheels have rows of their own.
CREATE TRIGGER package_downloads_drop_wheels AFTER DELETE ON package_downloads WHEN old.state IN ('planned', 'running') BEGIN
  INSERT INTO dropped_blobs (key) SELECT 'packages/' || (value ->> '$.id') FROM json_each(old.packages) WHERE true ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER package_downloads_end_drop_wheels AFTER UPDATE OF state ON package_downloads WHEN new.state IN ('failed', 'stopped') AND old.state <> new.state BEGIN
  INSERT INTO dropped_blobs (key) SELECT 'packages/' || (value ->> '$.id') FROM json_each(new.packages) WHERE true ON CONFLICT DO NOTHING;
END;
