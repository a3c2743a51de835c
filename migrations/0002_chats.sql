DROP TABLE `messages`;
--> statement-breakpoint
DROP TABLE `chats`;
--> statement-breakpoint
CREATE TABLE `chats` (
	`number` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`user_id` text NOT NULL,
	`organization_id` text NOT NULL,
	`title` text NOT NULL,
	`title_chosen` integer DEFAULT false NOT NULL,
	`models` text NOT NULL,
	`params` text NOT NULL,
	`meta` text NOT NULL,
	`variables` text NOT NULL,
	`extra` text NOT NULL,
	`current_message_id` text,
	`pinned` integer DEFAULT false NOT NULL,
	`archived` integer DEFAULT false NOT NULL,
	`folder_id` text,
	`share_id` text,
	`last_read_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `chats_id` ON `chats` (`id`);
--> statement-breakpoint
CREATE INDEX `chats_user_updated` ON `chats` (`user_id`,`archived`,`updated_at`,`id`);
--> statement-breakpoint
CREATE INDEX `chats_user_pinned` ON `chats` (`user_id`) WHERE pinned = 1;
--> statement-breakpoint
CREATE TABLE `messages` (
	`number` integer PRIMARY KEY NOT NULL,
	`chat_id` text NOT NULL,
	`user_id` text NOT NULL,
	`id` text NOT NULL,
	`parent_id` text,
	`role` text NOT NULL,
	`content` text NOT NULL,
	`parts` text,
	`reasoning` text DEFAULT '' NOT NULL,
	`model` text,
	`state` text DEFAULT 'done' NOT NULL,
	`error` text,
	`usage` text,
	`extra` text NOT NULL,
	`run_id` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`chat_id`) REFERENCES `chats`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`chat_id`,`parent_id`) REFERENCES `messages`(`chat_id`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `messages_id` ON `messages` (`chat_id`,`id`);
--> statement-breakpoint
CREATE INDEX `messages_parent` ON `messages` (`chat_id`,`parent_id`);
--> statement-breakpoint
CREATE INDEX `messages_streaming` ON `messages` (`updated_at`) WHERE state = 'streaming';
