CREATE TABLE `chat_shares` (
	`id` text PRIMARY KEY NOT NULL,
	`chat_id` text NOT NULL,
	`user_id` text NOT NULL,
	`organization_id` text NOT NULL,
	`title` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`chat_id`) REFERENCES `chats`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `chat_shares_chat` ON `chat_shares` (`chat_id`);--> statement-breakpoint
CREATE INDEX `chat_shares_user` ON `chat_shares` (`user_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE TABLE `shared_messages` (
	`share_id` text NOT NULL,
	`position` integer NOT NULL,
	`id` text NOT NULL,
	`role` text NOT NULL,
	`content` text NOT NULL,
	`parts` text,
	`model` text,
	`files` text NOT NULL,
	`sources` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`share_id`, `position`),
	FOREIGN KEY (`share_id`) REFERENCES `chat_shares`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `prompt_versions` (
	`id` text PRIMARY KEY NOT NULL,
	`prompt_id` text NOT NULL,
	`parent_id` text,
	`command` text NOT NULL,
	`name` text NOT NULL,
	`content` text NOT NULL,
	`tags` text NOT NULL,
	`message` text DEFAULT '' NOT NULL,
	`user_id` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`prompt_id`) REFERENCES `prompts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `prompt_versions_prompt` ON `prompt_versions` (`prompt_id`,`id`);--> statement-breakpoint
CREATE TABLE `prompts` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text,
	`organization_id` text NOT NULL,
	`command` text NOT NULL,
	`name` text NOT NULL,
	`content` text NOT NULL,
	`tags` text NOT NULL,
	`is_active` integer DEFAULT true NOT NULL,
	`version_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `prompts_command` ON `prompts` (`user_id`,`command`);--> statement-breakpoint
CREATE INDEX `prompts_organization` ON `prompts` (`organization_id`,`updated_at`,`id`);
