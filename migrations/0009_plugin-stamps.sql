-- Plugins and tool servers belong to the catalogue: an isolate keeps a list of them only while the stamp is the same.
CREATE TRIGGER plugins_insert_stamp AFTER INSERT ON plugins BEGIN UPDATE stamps SET value = value + 1 WHERE name = 'catalog'; END;
--> statement-breakpoint
CREATE TRIGGER plugins_update_stamp AFTER UPDATE ON plugins BEGIN UPDATE stamps SET value = value + 1 WHERE name = 'catalog'; END;
--> statement-breakpoint
CREATE TRIGGER plugins_delete_stamp AFTER DELETE ON plugins BEGIN UPDATE stamps SET value = value + 1 WHERE name = 'catalog'; END;
--> statement-breakpoint
CREATE TRIGGER tool_servers_insert_stamp AFTER INSERT ON tool_servers BEGIN UPDATE stamps SET value = value + 1 WHERE name = 'catalog'; END;
--> statement-breakpoint
CREATE TRIGGER tool_servers_update_stamp AFTER UPDATE ON tool_servers BEGIN UPDATE stamps SET value = value + 1 WHERE name = 'catalog'; END;
--> statement-breakpoint
CREATE TRIGGER tool_servers_delete_stamp AFTER DELETE ON tool_servers BEGIN UPDATE stamps SET value = value + 1 WHERE name = 'catalog'; END;
--> statement-breakpoint
-- An id may be taken again by someone else: nothing of the old plugin may come with it.
CREATE TRIGGER plugins_delete_rest AFTER DELETE ON plugins BEGIN
  DELETE FROM plugin_versions WHERE family = old.family AND plugin_id = old.id;
  DELETE FROM plugin_user_valves WHERE family = old.family AND plugin_id = old.id;
  DELETE FROM grants WHERE old.family = 'tool' AND resource_type = 'tool' AND resource_id = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER tool_servers_delete_grants AFTER DELETE ON tool_servers BEGIN DELETE FROM grants WHERE resource_type = 'tool_server' AND resource_id = old.id; END;
