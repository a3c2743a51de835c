-- A wheel's bytes go with its row, whatever takes it away: a newer one, its organization.
CREATE TRIGGER plugin_packages_drop_wheel AFTER DELETE ON plugin_packages BEGIN
  INSERT INTO dropped_blobs (key) VALUES ('packages/' || old.id) ON CONFLICT DO NOTHING;
END;
