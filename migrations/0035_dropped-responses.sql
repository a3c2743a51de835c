-- What a large response holds goes with its row, whatever takes it away: its end, its owner's.
CREATE TRIGGER stored_responses_drop_items AFTER DELETE ON stored_responses WHEN old.is_large BEGIN
  INSERT INTO dropped_blobs (key) VALUES ('responses/' || old.id) ON CONFLICT DO NOTHING;
END;
