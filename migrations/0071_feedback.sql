CREATE TABLE `feedback` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`organization_id` text NOT NULL,
	`type` text NOT NULL,
	`rating` integer,
	`model_id` text,
	`chat_id` text,
	`message_id` text,
	`data` text NOT NULL,
	`meta` text NOT NULL,
	`snapshot` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `feedback_message` ON `feedback` (`user_id`,`chat_id`,`message_id`) WHERE message_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `feedback_user` ON `feedback` (`user_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `feedback_updated` ON `feedback` (`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `feedback_model` ON `feedback` (`model_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `feedback_created` ON `feedback` (`created_at`);
