-- The organization that always exists.
INSERT INTO organizations (id, name, active, is_default, features, created_at, updated_at)
VALUES ('00000000-0000-7000-8000-000000000001', 'Default', 1, 1, '{}', unixepoch(), unixepoch());
--> statement-breakpoint
CREATE UNIQUE INDEX organizations_one_default ON organizations (is_default) WHERE is_default = 1;
--> statement-breakpoint
-- A catalogue may be cached only while its stamp is the one read in the same request; no writer can forget to move it.
INSERT INTO stamps (name, value) VALUES ('catalog', 1);
--> statement-breakpoint
CREATE TRIGGER connections_insert_stamp AFTER INSERT ON connections BEGIN UPDATE stamps SET value = value + 1 WHERE name = 'catalog'; END;
--> statement-breakpoint
CREATE TRIGGER connections_update_stamp AFTER UPDATE ON connections BEGIN UPDATE stamps SET value = value + 1 WHERE name = 'catalog'; END;
--> statement-breakpoint
CREATE TRIGGER connections_delete_stamp AFTER DELETE ON connections BEGIN UPDATE stamps SET value = value + 1 WHERE name = 'catalog'; END;
--> statement-breakpoint
CREATE TRIGGER stored_models_insert_stamp AFTER INSERT ON stored_models BEGIN UPDATE stamps SET value = value + 1 WHERE name = 'catalog'; END;
--> statement-breakpoint
CREATE TRIGGER stored_models_update_stamp AFTER UPDATE ON stored_models BEGIN UPDATE stamps SET value = value + 1 WHERE name = 'catalog'; END;
--> statement-breakpoint
CREATE TRIGGER stored_models_delete_stamp AFTER DELETE ON stored_models BEGIN UPDATE stamps SET value = value + 1 WHERE name = 'catalog'; END;
--> statement-breakpoint
CREATE TRIGGER grants_insert_stamp AFTER INSERT ON grants BEGIN UPDATE stamps SET value = value + 1 WHERE name = 'catalog'; END;
--> statement-breakpoint
CREATE TRIGGER grants_update_stamp AFTER UPDATE ON grants BEGIN UPDATE stamps SET value = value + 1 WHERE name = 'catalog'; END;
--> statement-breakpoint
CREATE TRIGGER grants_delete_stamp AFTER DELETE ON grants BEGIN UPDATE stamps SET value = value + 1 WHERE name = 'catalog'; END;
--> statement-breakpoint
-- Two further things decide who sees which model: what an organization's people see, and whether a model's owner is an administrator.
CREATE TRIGGER organizations_insert_stamp AFTER INSERT ON organizations WHEN new.model_ids IS NOT NULL BEGIN UPDATE stamps SET value = value + 1 WHERE name = 'catalog'; END;
--> statement-breakpoint
CREATE TRIGGER organizations_update_stamp AFTER UPDATE OF model_ids ON organizations WHEN new.model_ids IS NOT old.model_ids BEGIN UPDATE stamps SET value = value + 1 WHERE name = 'catalog'; END;
--> statement-breakpoint
CREATE TRIGGER organizations_delete_stamp AFTER DELETE ON organizations BEGIN UPDATE stamps SET value = value + 1 WHERE name = 'catalog'; END;
--> statement-breakpoint
CREATE TRIGGER users_role_stamp AFTER UPDATE OF role, active ON users WHEN (new.role = 'admin' AND new.active) IS NOT (old.role = 'admin' AND old.active) BEGIN UPDATE stamps SET value = value + 1 WHERE name = 'catalog'; END;
--> statement-breakpoint
-- Grants name resources and principals of several kinds, so no foreign key can take them along; an id may be taken again by someone else.
CREATE TRIGGER stored_models_delete_grants AFTER DELETE ON stored_models BEGIN DELETE FROM grants WHERE resource_type = 'model' AND resource_id = old.id; END;
--> statement-breakpoint
CREATE TRIGGER users_delete_grants AFTER DELETE ON users BEGIN DELETE FROM grants WHERE principal_type = 'user' AND principal_id = old.id; END;
--> statement-breakpoint
CREATE TRIGGER groups_delete_grants AFTER DELETE ON groups BEGIN DELETE FROM grants WHERE principal_type = 'group' AND principal_id = old.id; END;
--> statement-breakpoint
CREATE TRIGGER organizations_delete_grants AFTER DELETE ON organizations BEGIN DELETE FROM grants WHERE principal_type = 'organization' AND principal_id = old.id; END;
