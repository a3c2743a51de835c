DROP INDEX `groups_organization`;--> statement-breakpoint
CREATE INDEX `groups_organization_name` ON `groups` (`organization_id`,name COLLATE NOCASE,`id`);--> statement-breakpoint
CREATE INDEX `uploads_key` ON `uploads` (`key`);--> statement-breakpoint
CREATE INDEX `jobs_deadline` ON `jobs` (`deadline`);--> statement-breakpoint
CREATE INDEX `users_organization_created` ON `users` (`organization_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `users_organization_name` ON `users` (`organization_id`,name COLLATE NOCASE,`id`);
