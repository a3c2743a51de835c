DROP INDEX `audit_events_target`;--> statement-breakpoint
CREATE INDEX `audit_events_type` ON `audit_events` (`target_type`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_events_target` ON `audit_events` (`target_id`,`at`,`id`);
