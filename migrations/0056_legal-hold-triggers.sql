-- What is on hold is not deleted, whoever asks. `isHeld` in src/people/holds/is-held.ts says the same for what is read.
CREATE TRIGGER users_held BEFORE DELETE ON users
WHEN EXISTS (SELECT 1 FROM legal_holds WHERE target_id IN (OLD.id, OLD.organization_id)) BEGIN
  SELECT RAISE(ABORT, 'LEGAL_HOLD');
END;
--> statement-breakpoint
CREATE TRIGGER organizations_held BEFORE DELETE ON organizations
WHEN EXISTS (SELECT 1 FROM legal_holds WHERE target_id IN (OLD.id)) BEGIN
  SELECT RAISE(ABORT, 'LEGAL_HOLD');
END;
--> statement-breakpoint
CREATE TRIGGER chats_held BEFORE DELETE ON chats
WHEN EXISTS (SELECT 1 FROM legal_holds WHERE target_id IN (OLD.user_id, (SELECT organization_id FROM users WHERE id = OLD.user_id), OLD.organization_id)) BEGIN
  SELECT RAISE(ABORT, 'LEGAL_HOLD');
END;
--> statement-breakpoint
CREATE TRIGGER messages_held BEFORE DELETE ON messages
WHEN EXISTS (SELECT 1 FROM legal_holds WHERE target_id IN (OLD.user_id, (SELECT organization_id FROM users WHERE id = OLD.user_id))) BEGIN
  SELECT RAISE(ABORT, 'LEGAL_HOLD');
END;
--> statement-breakpoint
CREATE TRIGGER files_held BEFORE DELETE ON files
WHEN EXISTS (SELECT 1 FROM legal_holds WHERE target_id IN (OLD.user_id, (SELECT organization_id FROM users WHERE id = OLD.user_id), OLD.organization_id)) BEGIN
  SELECT RAISE(ABORT, 'LEGAL_HOLD');
END;
--> statement-breakpoint
CREATE TRIGGER stored_responses_held BEFORE DELETE ON stored_responses
WHEN EXISTS (SELECT 1 FROM legal_holds WHERE target_id IN (OLD.user_id, (SELECT organization_id FROM users WHERE id = OLD.user_id))) BEGIN
  SELECT RAISE(ABORT, 'LEGAL_HOLD');
END;
--> statement-breakpoint
CREATE TRIGGER knowledge_held BEFORE DELETE ON knowledge
WHEN EXISTS (SELECT 1 FROM legal_holds WHERE target_id IN (OLD.user_id, (SELECT organization_id FROM users WHERE id = OLD.user_id), OLD.organization_id)) BEGIN
  SELECT RAISE(ABORT, 'LEGAL_HOLD');
END;
--> statement-breakpoint
CREATE TRIGGER prompts_held BEFORE DELETE ON prompts
WHEN EXISTS (SELECT 1 FROM legal_holds WHERE target_id IN (OLD.user_id, (SELECT organization_id FROM users WHERE id = OLD.user_id), OLD.organization_id)) BEGIN
  SELECT RAISE(ABORT, 'LEGAL_HOLD');
END;
--> statement-breakpoint
CREATE TRIGGER prompt_versions_held BEFORE DELETE ON prompt_versions
WHEN EXISTS (SELECT 1 FROM legal_holds WHERE target_id IN (OLD.user_id, (SELECT organization_id FROM users WHERE id = OLD.user_id))) BEGIN
  SELECT RAISE(ABORT, 'LEGAL_HOLD');
END;
--> statement-breakpoint
CREATE TRIGGER plugins_held BEFORE DELETE ON plugins
WHEN EXISTS (SELECT 1 FROM legal_holds WHERE target_id IN (OLD.user_id, (SELECT organization_id FROM users WHERE id = OLD.user_id), OLD.organization_id)) BEGIN
  SELECT RAISE(ABORT, 'LEGAL_HOLD');
END;
--> statement-breakpoint
CREATE TRIGGER stored_models_held BEFORE DELETE ON stored_models
WHEN EXISTS (SELECT 1 FROM legal_holds WHERE target_id IN (OLD.user_id, (SELECT organization_id FROM users WHERE id = OLD.user_id))) BEGIN
  SELECT RAISE(ABORT, 'LEGAL_HOLD');
END;
--> statement-breakpoint
CREATE TRIGGER tool_servers_held BEFORE DELETE ON tool_servers
WHEN EXISTS (SELECT 1 FROM legal_holds WHERE target_id IN (OLD.user_id, (SELECT organization_id FROM users WHERE id = OLD.user_id), OLD.organization_id)) BEGIN
  SELECT RAISE(ABORT, 'LEGAL_HOLD');
END;
--> statement-breakpoint
CREATE TRIGGER channel_messages_held BEFORE DELETE ON channel_messages
WHEN EXISTS (SELECT 1 FROM legal_holds WHERE target_id IN (OLD.user_id, (SELECT organization_id FROM users WHERE id = OLD.user_id), OLD.organization_id)) BEGIN
  SELECT RAISE(ABORT, 'LEGAL_HOLD');
END;
--> statement-breakpoint
CREATE TRIGGER channel_messages_emptied_held BEFORE UPDATE OF deleted_at ON channel_messages
WHEN NEW.deleted_at IS NOT NULL AND OLD.deleted_at IS NULL AND EXISTS (SELECT 1 FROM legal_holds WHERE target_id IN (OLD.user_id, (SELECT organization_id FROM users WHERE id = OLD.user_id), OLD.organization_id)) BEGIN
  SELECT RAISE(ABORT, 'LEGAL_HOLD');
END;
--> statement-breakpoint
CREATE TRIGGER channels_held BEFORE UPDATE OF deleted_at ON channels
WHEN NEW.deleted_at IS NOT NULL AND OLD.deleted_at IS NULL AND EXISTS (SELECT 1 FROM legal_holds)
  AND (EXISTS (SELECT 1 FROM legal_holds WHERE target_id IN (OLD.user_id, (SELECT organization_id FROM users WHERE id = OLD.user_id), OLD.organization_id))
    OR EXISTS (SELECT 1 FROM legal_holds h CROSS JOIN channel_messages m WHERE h.kind = 'person' AND m.user_id = h.target_id AND m.channel_id = OLD.id)
    OR EXISTS (SELECT 1 FROM legal_holds h CROSS JOIN users u CROSS JOIN channel_messages m
      WHERE h.kind = 'organization' AND u.organization_id = h.target_id AND m.user_id = u.id AND m.channel_id = OLD.id)) BEGIN
  SELECT RAISE(ABORT, 'LEGAL_HOLD');
END;
