ALTER TABLE `sessions` ADD `provider_subject` text;--> statement-breakpoint
CREATE INDEX `sessions_provider_subject` ON `sessions` (`provider`,`provider_subject`);--> statement-breakpoint
ALTER TABLE `group_members` ADD `source` text;
