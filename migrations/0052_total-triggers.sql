-- How much each person has (person_totals), and what that is for organizations and for the service (storage_totals).
CREATE TRIGGER organizations_insert_totals AFTER INSERT ON organizations BEGIN
  INSERT OR IGNORE INTO storage_totals (scope) VALUES (new.id);
END;
--> statement-breakpoint
CREATE TRIGGER organizations_delete_totals AFTER DELETE ON organizations BEGIN
  DELETE FROM storage_totals WHERE scope = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER users_insert_totals AFTER INSERT ON users BEGIN
  INSERT OR IGNORE INTO person_totals (user_id, organization_id) VALUES (new.id, new.organization_id);
END;
--> statement-breakpoint
CREATE TRIGGER users_move_totals AFTER UPDATE OF organization_id ON users WHEN new.organization_id IS NOT old.organization_id BEGIN
  UPDATE person_totals SET organization_id = new.organization_id WHERE user_id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER person_totals_insert AFTER INSERT ON person_totals WHEN new.bytes <> 0 OR new.held_bytes <> 0 OR new.files <> 0 BEGIN
  UPDATE storage_totals SET bytes = bytes + new.bytes, held_bytes = held_bytes + new.held_bytes, files = files + new.files
  WHERE scope IN (new.organization_id, 'service');
END;
--> statement-breakpoint
CREATE TRIGGER person_totals_update AFTER UPDATE OF organization_id, bytes, held_bytes, files ON person_totals BEGIN
  UPDATE storage_totals SET bytes = bytes - old.bytes, held_bytes = held_bytes - old.held_bytes, files = files - old.files
  WHERE scope IN (old.organization_id, 'service');
  UPDATE storage_totals SET bytes = bytes + new.bytes, held_bytes = held_bytes + new.held_bytes, files = files + new.files
  WHERE scope IN (new.organization_id, 'service');
END;
--> statement-breakpoint
CREATE TRIGGER person_totals_delete AFTER DELETE ON person_totals WHEN old.bytes <> 0 OR old.held_bytes <> 0 OR old.files <> 0 BEGIN
  UPDATE storage_totals SET bytes = bytes - old.bytes, held_bytes = held_bytes - old.held_bytes, files = files - old.files
  WHERE scope IN (old.organization_id, 'service');
END;
--> statement-breakpoint
CREATE TRIGGER files_insert_totals AFTER INSERT ON files BEGIN
  UPDATE person_totals SET bytes = bytes + new.size, files = files + 1 WHERE user_id = new.user_id;
END;
--> statement-breakpoint
CREATE TRIGGER files_update_totals AFTER UPDATE OF size, user_id ON files WHEN new.size <> old.size OR new.user_id <> old.user_id BEGIN
  UPDATE person_totals SET bytes = bytes - old.size, files = files - 1 WHERE user_id = old.user_id;
  UPDATE person_totals SET bytes = bytes + new.size, files = files + 1 WHERE user_id = new.user_id;
END;
--> statement-breakpoint
CREATE TRIGGER files_delete_totals AFTER DELETE ON files BEGIN
  UPDATE person_totals SET bytes = bytes - old.size, files = files - 1 WHERE user_id = old.user_id;
END;
--> statement-breakpoint
CREATE TRIGGER uploads_insert_totals AFTER INSERT ON uploads WHEN new.held_bytes <> 0 BEGIN
  UPDATE person_totals SET held_bytes = held_bytes + new.held_bytes WHERE user_id = new.user_id;
END;
--> statement-breakpoint
CREATE TRIGGER uploads_update_totals AFTER UPDATE OF held_bytes ON uploads WHEN new.held_bytes <> old.held_bytes BEGIN
  UPDATE person_totals SET held_bytes = held_bytes + new.held_bytes - old.held_bytes WHERE user_id = new.user_id;
END;
--> statement-breakpoint
CREATE TRIGGER uploads_delete_totals AFTER DELETE ON uploads WHEN old.held_bytes <> 0 BEGIN
  UPDATE person_totals SET held_bytes = held_bytes - old.held_bytes WHERE user_id = old.user_id;
END;
--> statement-breakpoint
CREATE TRIGGER chats_insert_totals AFTER INSERT ON chats BEGIN
  UPDATE person_totals SET chats = chats + 1 WHERE user_id = new.user_id;
END;
--> statement-breakpoint
CREATE TRIGGER chats_update_totals AFTER UPDATE OF user_id ON chats WHEN new.user_id <> old.user_id BEGIN
  UPDATE person_totals SET chats = chats - 1 WHERE user_id = old.user_id;
  UPDATE person_totals SET chats = chats + 1 WHERE user_id = new.user_id;
END;
--> statement-breakpoint
CREATE TRIGGER chats_delete_totals AFTER DELETE ON chats BEGIN
  UPDATE person_totals SET chats = chats - 1 WHERE user_id = old.user_id;
END;
--> statement-breakpoint
-- What there is already. The triggers are there first, so nothing is missed and nothing counts twice.
INSERT OR IGNORE INTO storage_totals (scope) SELECT id FROM organizations UNION ALL SELECT 'service';
--> statement-breakpoint
INSERT OR IGNORE INTO person_totals (user_id, organization_id, bytes, held_bytes, files, chats)
SELECT u.id, u.organization_id,
  coalesce((SELECT sum(f.size) FROM files f WHERE f.user_id = u.id), 0),
  coalesce((SELECT sum(p.held_bytes) FROM uploads p WHERE p.user_id = u.id), 0),
  (SELECT count(*) FROM files f WHERE f.user_id = u.id),
  (SELECT count(*) FROM chats c WHERE c.user_id = u.id)
FROM users u;
--> statement-breakpoint
UPDATE uploads SET held_bytes = size WHERE size IS NOT NULL;
--> statement-breakpoint
-- Where the queue of jobs is: a job that is taken moves it on.
CREATE TRIGGER jobs_take_turn AFTER UPDATE OF lease ON jobs WHEN new.lease IS NOT NULL AND new.lease IS NOT old.lease BEGIN
  INSERT INTO job_turns (kind, turn) VALUES (new.kind, new.turn)
  ON CONFLICT (kind) DO UPDATE SET turn = max(turn, excluded.turn);
END;
--> statement-breakpoint
INSERT OR IGNORE INTO job_turns (kind, turn) SELECT kind, min(turn) - 1 FROM jobs GROUP BY kind;
--> statement-breakpoint
-- The network of somebody who waits is forgotten with the waiting.
DROP TRIGGER users_waiting_insert;
--> statement-breakpoint
DROP TRIGGER users_waiting_update;
--> statement-breakpoint
CREATE TRIGGER users_waiting_insert AFTER INSERT ON users
WHEN new.role <> 'pending' AND (new.waiting_since IS NOT NULL OR new.waiting_network IS NOT NULL) BEGIN
  UPDATE users SET waiting_since = NULL, waiting_network = NULL WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER users_waiting_update AFTER UPDATE OF role ON users
WHEN new.role <> 'pending' AND (new.waiting_since IS NOT NULL OR new.waiting_network IS NOT NULL) BEGIN
  UPDATE users SET waiting_since = NULL, waiting_network = NULL WHERE id = new.id;
END;
