CREATE TABLE `channel_webhook_requests` (
	`id` text PRIMARY KEY NOT NULL,
	`webhook_id` text NOT NULL,
	`format` text,
	`status` integer NOT NULL,
	`reason` text,
	`message_id` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`webhook_id`) REFERENCES `channel_webhooks`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `channel_webhook_requests_webhook` ON `channel_webhook_requests` (`webhook_id`,`id`);--> statement-breakpoint
CREATE TABLE `channel_webhook_threads` (
	`webhook_id` text NOT NULL,
	`key` text NOT NULL,
	`message_id` text NOT NULL,
	`is_open` integer NOT NULL,
	PRIMARY KEY(`webhook_id`, `key`),
	FOREIGN KEY (`webhook_id`) REFERENCES `channel_webhooks`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`message_id`) REFERENCES `channel_messages`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `channel_webhook_threads_message` ON `channel_webhook_threads` (`message_id`);--> statement-breakpoint
ALTER TABLE `channel_messages` ADD `card` text;--> statement-breakpoint
ALTER TABLE `channel_messages` ADD `shown_as` text;--> statement-breakpoint
ALTER TABLE `channel_webhooks` ADD `has_threads` integer DEFAULT true NOT NULL;
