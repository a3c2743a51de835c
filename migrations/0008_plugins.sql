CREATE TABLE `message_items` (
	`number` integer PRIMARY KEY NOT NULL,
	`chat_id` text NOT NULL,
	`message_id` text NOT NULL,
	`kind` text NOT NULL,
	`name` text,
	`data` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`chat_id`,`message_id`) REFERENCES `messages`(`chat_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `message_items_message` ON `message_items` (`chat_id`,`message_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `message_items_name` ON `message_items` (`chat_id`,`message_id`,`kind`,`name`);--> statement-breakpoint
CREATE TABLE `plugin_packages` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`name` text NOT NULL,
	`version` text NOT NULL,
	`filename` text NOT NULL,
	`sha256` text NOT NULL,
	`size` integer NOT NULL,
	`user_id` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `plugin_packages_name` ON `plugin_packages` (`organization_id`,`name`);--> statement-breakpoint
CREATE TABLE `plugin_user_valves` (
	`family` text NOT NULL,
	`plugin_id` text NOT NULL,
	`user_id` text NOT NULL,
	`sealed_values` text NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`family`, `plugin_id`, `user_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `plugin_user_valves_user` ON `plugin_user_valves` (`user_id`);--> statement-breakpoint
CREATE TABLE `plugin_versions` (
	`family` text NOT NULL,
	`plugin_id` text NOT NULL,
	`version` integer NOT NULL,
	`source` text NOT NULL,
	`user_id` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`family`, `plugin_id`, `version`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE TABLE `plugins` (
	`family` text NOT NULL,
	`id` text NOT NULL,
	`user_id` text,
	`organization_id` text,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`language` text NOT NULL,
	`source` text NOT NULL,
	`code` text NOT NULL,
	`version` integer NOT NULL,
	`meta` text NOT NULL,
	`info` text NOT NULL,
	`hosts` text NOT NULL,
	`is_active` integer DEFAULT false NOT NULL,
	`is_global` integer DEFAULT false NOT NULL,
	`priority` integer DEFAULT 0 NOT NULL,
	`sealed_valves` text,
	`fingerprint` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`family`, `id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `plugins_user` ON `plugins` (`user_id`);--> statement-breakpoint
CREATE TABLE `tool_server_tokens` (
	`server_id` text NOT NULL,
	`user_id` text NOT NULL,
	`sealed_tokens` text NOT NULL,
	`expires_at` integer,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`server_id`, `user_id`),
	FOREIGN KEY (`server_id`) REFERENCES `tool_servers`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `tool_servers` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`url` text NOT NULL,
	`spec_path` text DEFAULT '' NOT NULL,
	`auth_type` text DEFAULT 'none' NOT NULL,
	`sealed_secrets` text,
	`functions` text NOT NULL,
	`organization_id` text,
	`user_id` text,
	`enabled` integer DEFAULT true NOT NULL,
	`timeout` integer DEFAULT 60 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `tool_servers_user` ON `tool_servers` (`user_id`);
