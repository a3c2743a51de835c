-- Somebody waits until the role is another one. Set back to pending later, they do not wait again.
CREATE TRIGGER users_waiting_insert AFTER INSERT ON users WHEN new.role <> 'pending' AND new.waiting_since IS NOT NULL BEGIN
  UPDATE users SET waiting_since = NULL WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER users_waiting_update AFTER UPDATE OF role ON users WHEN new.role <> 'pending' AND new.waiting_since IS NOT NULL BEGIN
  UPDATE users SET waiting_since = NULL WHERE id = new.id;
END;
