ALTER TABLE `channels` ADD `deleted_at` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `channels_public_name` ON `channels` (`organization_id`,`name`) WHERE kind = 'public';--> statement-breakpoint
CREATE INDEX `channels_deleted` ON `channels` (`deleted_at`) WHERE deleted_at IS NOT NULL;
