CREATE TABLE `channel_webhook_pictures` (
	`id` text PRIMARY KEY NOT NULL,
	`webhook_id` text NOT NULL,
	`url` text NOT NULL,
	FOREIGN KEY (`webhook_id`) REFERENCES `channel_webhooks`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `channel_webhook_pictures_webhook` ON `channel_webhook_pictures` (`webhook_id`);--> statement-breakpoint
ALTER TABLE `channel_webhook_faces` ADD `picture_id` text;--> statement-breakpoint
ALTER TABLE `channel_webhooks` ADD `last_post` text;--> statement-breakpoint
ALTER TABLE `channel_webhooks` ADD `is_face_used` integer DEFAULT false NOT NULL;
