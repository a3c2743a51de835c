CREATE TRIGGER feedback_held BEFORE DELETE ON feedback
WHEN EXISTS (SELECT 1 FROM legal_holds WHERE target_id IN (OLD.user_id, (SELECT organization_id FROM users WHERE id = OLD.user_id))) BEGIN
  SELECT RAISE(ABORT, 'LEGAL_HOLD');
END;
