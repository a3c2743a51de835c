DROP INDEX `audit_events_target`;--> statement-breakpoint
DROP INDEX `audit_events_actor`;--> statement-breakpoint
DROP INDEX `audit_events_action`;--> statement-breakpoint
DROP INDEX `audit_events_organization`;--> statement-breakpoint
DROP INDEX `audit_events_kind`;--> statement-breakpoint
CREATE INDEX `audit_events_time` ON `audit_events` (`at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_events_failed` ON `audit_events` (`at`,`id`) WHERE json_extract("detail", '$.error') is not null;--> statement-breakpoint
CREATE INDEX `audit_events_reads` ON `audit_events` (`at`) WHERE "action" GLOB 'scim.*.read';--> statement-breakpoint
CREATE INDEX `audit_events_target` ON `audit_events` (`target_type`,`target_id`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_events_actor` ON `audit_events` (`actor_id`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_events_action` ON `audit_events` (`action`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_events_organization` ON `audit_events` (`organization_id`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_events_kind` ON `audit_events` (`actor_kind`,`at`,`id`);
