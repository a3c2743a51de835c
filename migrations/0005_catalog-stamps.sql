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
