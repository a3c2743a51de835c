CREATE TABLE `channel_files` (
	`message_id` text NOT NULL,
	`file_id` text NOT NULL,
	`channel_id` text NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`message_id`, `file_id`),
	FOREIGN KEY (`message_id`) REFERENCES `channel_messages`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`file_id`) REFERENCES `files`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `channel_files_file` ON `channel_files` (`file_id`);--> statement-breakpoint
CREATE TABLE `channel_members` (
	`channel_id` text NOT NULL,
	`user_id` text NOT NULL,
	`role` text DEFAULT 'member' NOT NULL,
	`last_read` integer DEFAULT 0 NOT NULL,
	`last_read_at` integer,
	`is_hidden` integer DEFAULT false NOT NULL,
	`joined_at` integer NOT NULL,
	PRIMARY KEY(`channel_id`, `user_id`),
	FOREIGN KEY (`channel_id`) REFERENCES `channels`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `channel_members_user` ON `channel_members` (`user_id`);--> statement-breakpoint
CREATE TABLE `channel_mentions` (
	`message_id` text NOT NULL,
	`user_id` text NOT NULL,
	`channel_id` text NOT NULL,
	`seq` integer NOT NULL,
	PRIMARY KEY(`message_id`, `user_id`),
	FOREIGN KEY (`message_id`) REFERENCES `channel_messages`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `channel_mentions_user` ON `channel_mentions` (`user_id`,`channel_id`,`seq`);--> statement-breakpoint
CREATE TABLE `channel_messages` (
	`number` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`channel_id` text NOT NULL,
	`seq` integer NOT NULL,
	`parent_id` text,
	`reply_to_id` text,
	`user_id` text,
	`webhook_id` text,
	`face_id` text,
	`model` text,
	`model_name` text,
	`content` text NOT NULL,
	`meta` text DEFAULT '{}' NOT NULL,
	`state` text DEFAULT 'done' NOT NULL,
	`error` text,
	`sender` text NOT NULL,
	`key` text,
	`reply_count` integer DEFAULT 0 NOT NULL,
	`latest_reply_at` integer,
	`pinned_at` integer,
	`pinned_by` text,
	`edited_at` integer,
	`deleted_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`channel_id`) REFERENCES `channels`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `channel_messages_id` ON `channel_messages` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `channel_messages_seq` ON `channel_messages` (`channel_id`,`seq`);--> statement-breakpoint
CREATE UNIQUE INDEX `channel_messages_key` ON `channel_messages` (`channel_id`,`sender`,`key`);--> statement-breakpoint
CREATE INDEX `channel_messages_top` ON `channel_messages` (`channel_id`,`seq`) WHERE parent_id IS NULL;--> statement-breakpoint
CREATE INDEX `channel_messages_thread` ON `channel_messages` (`parent_id`,`seq`);--> statement-breakpoint
CREATE INDEX `channel_messages_pinned` ON `channel_messages` (`channel_id`,`pinned_at`) WHERE pinned_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `channel_messages_user` ON `channel_messages` (`user_id`);--> statement-breakpoint
CREATE INDEX `channel_messages_streaming` ON `channel_messages` (`updated_at`) WHERE state = 'streaming';--> statement-breakpoint
CREATE TABLE `channel_reactions` (
	`message_id` text NOT NULL,
	`name` text NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`message_id`, `name`, `user_id`),
	FOREIGN KEY (`message_id`) REFERENCES `channel_messages`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `channel_reactions_user` ON `channel_reactions` (`user_id`);--> statement-breakpoint
CREATE TABLE `channel_webhook_faces` (
	`id` text PRIMARY KEY NOT NULL,
	`webhook_id` text NOT NULL,
	`name` text NOT NULL,
	`picture` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`webhook_id`) REFERENCES `channel_webhooks`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `channel_webhook_faces_webhook` ON `channel_webhook_faces` (`webhook_id`);--> statement-breakpoint
CREATE TABLE `channel_webhooks` (
	`id` text PRIMARY KEY NOT NULL,
	`channel_id` text NOT NULL,
	`user_id` text,
	`face_id` text NOT NULL,
	`token_hash` text NOT NULL,
	`sealed_token` text NOT NULL,
	`allowance` integer NOT NULL,
	`refilled_at` integer NOT NULL,
	`last_used_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`channel_id`) REFERENCES `channels`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `channel_webhooks_channel` ON `channel_webhooks` (`channel_id`);--> statement-breakpoint
CREATE TABLE `channels` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`user_id` text,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`data` text DEFAULT '{}' NOT NULL,
	`meta` text DEFAULT '{}' NOT NULL,
	`people` text,
	`head` integer DEFAULT 0 NOT NULL,
	`last_message_at` integer,
	`members_version` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `channels_people` ON `channels` (`organization_id`,`people`);--> statement-breakpoint
CREATE INDEX `channels_organization` ON `channels` (`organization_id`,`kind`,`name`);--> statement-breakpoint
CREATE TABLE `webhook_attempts` (
	`delivery_id` text NOT NULL,
	`number` integer NOT NULL,
	`started_at` integer NOT NULL,
	`duration` integer NOT NULL,
	`url` text NOT NULL,
	`request_headers` text NOT NULL,
	`request_body` text NOT NULL,
	`status` integer,
	`response_headers` text,
	`response_body` text,
	`error` text,
	PRIMARY KEY(`delivery_id`, `number`),
	FOREIGN KEY (`delivery_id`) REFERENCES `webhook_deliveries`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`endpoint_id` text NOT NULL,
	`event` text NOT NULL,
	`payload` text NOT NULL,
	`state` text DEFAULT 'pending' NOT NULL,
	`replay_of` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer,
	`created_at` integer NOT NULL,
	`finished_at` integer,
	FOREIGN KEY (`endpoint_id`) REFERENCES `webhook_endpoints`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_endpoint` ON `webhook_deliveries` (`endpoint_id`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_pending` ON `webhook_deliveries` (`endpoint_id`) WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX `webhook_deliveries_created` ON `webhook_deliveries` (`created_at`);--> statement-breakpoint
CREATE TABLE `webhook_endpoints` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text,
	`owner` text NOT NULL,
	`url` text NOT NULL,
	`is_enabled` integer DEFAULT true NOT NULL,
	`disabled_reason` text,
	`disabled_at` integer,
	`is_always` integer DEFAULT false NOT NULL,
	`sealed_secret` text NOT NULL,
	`sealed_previous` text,
	`overlap_until` integer,
	`failing_since` integer,
	`paused_until` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_endpoints_owner` ON `webhook_endpoints` (`owner`);
