-- The JSON fields say who a person is at which provider; this table makes that unique and quick to look up.
CREATE TRIGGER users_insert_identities AFTER INSERT ON users WHEN new.oauth IS NOT NULL OR new.scim IS NOT NULL BEGIN
  INSERT INTO identities (source, provider, external_id, user_id) SELECT 'oauth', key, value ->> 'sub', new.id FROM json_each(coalesce(new.oauth, '{}')) WHERE value ->> 'sub' IS NOT NULL;
  INSERT INTO identities (source, provider, external_id, user_id) SELECT 'scim', key, value ->> 'external_id', new.id FROM json_each(coalesce(new.scim, '{}')) WHERE value ->> 'external_id' IS NOT NULL;
END;
--> statement-breakpoint
CREATE TRIGGER users_update_identities AFTER UPDATE OF oauth, scim ON users WHEN new.oauth IS NOT old.oauth OR new.scim IS NOT old.scim BEGIN
  DELETE FROM identities WHERE user_id = new.id;
  INSERT INTO identities (source, provider, external_id, user_id) SELECT 'oauth', key, value ->> 'sub', new.id FROM json_each(coalesce(new.oauth, '{}')) WHERE value ->> 'sub' IS NOT NULL;
  INSERT INTO identities (source, provider, external_id, user_id) SELECT 'scim', key, value ->> 'external_id', new.id FROM json_each(coalesce(new.scim, '{}')) WHERE value ->> 'external_id' IS NOT NULL;
END;
--> statement-breakpoint
INSERT INTO identities (source, provider, external_id, user_id) SELECT 'oauth', j.key, j.value ->> 'sub', u.id FROM users u, json_each(coalesce(u.oauth, '{}')) j WHERE j.value ->> 'sub' IS NOT NULL;
--> statement-breakpoint
INSERT INTO identities (source, provider, external_id, user_id) SELECT 'scim', j.key, j.value ->> 'external_id', u.id FROM users u, json_each(coalesce(u.scim, '{}')) j WHERE j.value ->> 'external_id' IS NOT NULL;
