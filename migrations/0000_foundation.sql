CREATE TABLE `audit_events` (
	`id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`actor_id` text,
	`actor_kind` text NOT NULL,
	`action` text NOT NULL,
	`target_type` text NOT NULL,
	`target_id` text NOT NULL,
	`organization_id` text,
	`detail` text NOT NULL,
	`request_id` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_events_target` ON `audit_events` (`target_type`,`target_id`);--> statement-breakpoint
CREATE INDEX `audit_events_actor` ON `audit_events` (`actor_id`);--> statement-breakpoint
CREATE INDEX `audit_events_action` ON `audit_events` (`action`);--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash_unique` ON `api_keys` (`hash`);--> statement-breakpoint
CREATE INDEX `api_keys_user` ON `api_keys` (`user_id`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`user_agent` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer NOT NULL,
	`expires_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `sessions_expires_at` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `sign_in_failures` (
	`bucket` text PRIMARY KEY NOT NULL,
	`level` real NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sign_in_failures_updated_at` ON `sign_in_failures` (`updated_at`);--> statement-breakpoint
CREATE TABLE `chat_tags` (
	`chat_id` text NOT NULL,
	`name` text NOT NULL,
	PRIMARY KEY(`chat_id`, `name`),
	FOREIGN KEY (`chat_id`) REFERENCES `chats`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `chat_tags_name` ON `chat_tags` (`name`);--> statement-breakpoint
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
CREATE UNIQUE INDEX `chats_id` ON `chats` (`id`);--> statement-breakpoint
CREATE INDEX `chats_user_updated` ON `chats` (`user_id`,`archived`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `chats_user_pinned` ON `chats` (`user_id`) WHERE pinned = 1;--> statement-breakpoint
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
CREATE UNIQUE INDEX `messages_id` ON `messages` (`chat_id`,`id`);--> statement-breakpoint
CREATE INDEX `messages_parent` ON `messages` (`chat_id`,`parent_id`);--> statement-breakpoint
CREATE INDEX `messages_streaming` ON `messages` (`updated_at`) WHERE state = 'streaming';--> statement-breakpoint
CREATE TABLE `grants` (
	`id` text PRIMARY KEY NOT NULL,
	`resource_type` text NOT NULL,
	`resource_id` text NOT NULL,
	`principal_type` text NOT NULL,
	`principal_id` text NOT NULL,
	`permission` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `grants_unique` ON `grants` (`resource_type`,`resource_id`,`principal_type`,`principal_id`,`permission`);--> statement-breakpoint
CREATE INDEX `grants_principal` ON `grants` (`principal_type`,`principal_id`);--> statement-breakpoint
CREATE TABLE `group_members` (
	`group_id` text NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`group_id`, `user_id`),
	FOREIGN KEY (`group_id`) REFERENCES `groups`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `group_members_user` ON `group_members` (`user_id`);--> statement-breakpoint
CREATE TABLE `groups` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`user_id` text,
	`name` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`external_id` text,
	`permissions` text NOT NULL,
	`share` text DEFAULT 'members' NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE TABLE `organizations` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`active` integer DEFAULT true NOT NULL,
	`is_default` integer DEFAULT false NOT NULL,
	`model_ids` text,
	`features` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `passwords` (
	`user_id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `profile_images` (
	`user_id` text PRIMARY KEY NOT NULL,
	`url` text NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`role` text NOT NULL,
	`active` integer DEFAULT true NOT NULL,
	`organization_id` text NOT NULL,
	`organization_role` text DEFAULT 'member' NOT NULL,
	`bio` text,
	`gender` text,
	`date_of_birth` text,
	`timezone` text,
	`settings` text,
	`info` text,
	`oauth` text,
	`scim` text,
	`last_active_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "users_email_lower" CHECK("users"."email" = lower("users"."email"))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_unique` ON `users` (`email`);--> statement-breakpoint
CREATE INDEX `users_name` ON `users` (name COLLATE NOCASE,`id`);--> statement-breakpoint
CREATE INDEX `users_role` ON `users` (`role`,`id`);--> statement-breakpoint
CREATE INDEX `users_created_at` ON `users` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `users_last_active_at` ON `users` (`last_active_at`,`id`);--> statement-breakpoint
CREATE INDEX `users_organization` ON `users` (`organization_id`);--> statement-breakpoint
CREATE TABLE `connection_checks` (
	`connection_id` text PRIMARY KEY NOT NULL,
	`ok` integer NOT NULL,
	`reason` text,
	`error` text,
	`model_count` integer NOT NULL,
	`latency_ms` integer NOT NULL,
	`checked_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `connections` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`base_url` text NOT NULL,
	`sealed_key` text,
	`sealed_headers` text,
	`prefix_id` text DEFAULT '' NOT NULL,
	`model_ids` text NOT NULL,
	`tags` text NOT NULL,
	`enabled` integer DEFAULT true NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `connections_created_at` ON `connections` (`created_at`);--> statement-breakpoint
CREATE TABLE `model_pictures` (
	`model_id` text PRIMARY KEY NOT NULL,
	`url` text NOT NULL,
	FOREIGN KEY (`model_id`) REFERENCES `stored_models`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `stored_models` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text,
	`base_model_id` text,
	`name` text NOT NULL,
	`meta` text NOT NULL,
	`params` text NOT NULL,
	`is_active` integer DEFAULT true NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `stored_models_user` ON `stored_models` (`user_id`);--> statement-breakpoint
CREATE INDEX `stored_models_base` ON `stored_models` (`base_model_id`);--> statement-breakpoint
CREATE TABLE `settings` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `stamps` (
	`name` text PRIMARY KEY NOT NULL,
	`value` integer NOT NULL
);
