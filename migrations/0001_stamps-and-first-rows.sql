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
