-- Who asks for a model learns from the stamp whether there are quotas at all, and whether the ones in memory still hold.
INSERT INTO stamps (name, value) VALUES ('quotas', 0);
--> statement-breakpoint
CREATE TRIGGER quotas_insert_stamp AFTER INSERT ON quotas BEGIN UPDATE stamps SET value = value + 1 WHERE name = 'quotas'; END;
--> statement-breakpoint
CREATE TRIGGER quotas_update_stamp AFTER UPDATE ON quotas BEGIN UPDATE stamps SET value = value + 1 WHERE name = 'quotas'; END;
--> statement-breakpoint
CREATE TRIGGER quotas_delete_stamp AFTER DELETE ON quotas BEGIN UPDATE stamps SET value = value + 1 WHERE name = 'quotas'; END;
--> statement-breakpoint
-- Quotas go with whom they are for.
CREATE TRIGGER users_delete_quotas AFTER DELETE ON users BEGIN DELETE FROM quotas WHERE scope = 'person' AND subject_id = old.id; END;
--> statement-breakpoint
CREATE TRIGGER api_keys_delete_quotas AFTER DELETE ON api_keys BEGIN DELETE FROM quotas WHERE scope = 'key' AND subject_id = old.id; END;
--> statement-breakpoint
CREATE TRIGGER groups_delete_quotas AFTER DELETE ON groups BEGIN DELETE FROM quotas WHERE scope = 'group' AND subject_id = old.id; END;
--> statement-breakpoint
CREATE TRIGGER organizations_delete_quotas AFTER DELETE ON organizations BEGIN
  DELETE FROM quotas WHERE (scope = 'organization' AND subject_id = old.id) OR organization_id = old.id;
END;
