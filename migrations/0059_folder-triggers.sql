-- There were no folders before: what clients had said hid chats from the list.
UPDATE chats SET folder_id = NULL WHERE folder_id IS NOT NULL;
--> statement-breakpoint
CREATE TRIGGER folders_delete_rest AFTER DELETE ON folders BEGIN
  DELETE FROM grants WHERE resource_type = 'folder' AND resource_id = old.id;
  UPDATE chats SET folder_id = NULL WHERE folder_id = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER files_delete_folder_references AFTER DELETE ON files BEGIN
  DELETE FROM folder_references WHERE kind = 'file' AND reference_id = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER knowledge_delete_folder_references AFTER DELETE ON knowledge BEGIN
  DELETE FROM folder_references WHERE kind = 'collection' AND reference_id = old.id;
END;
