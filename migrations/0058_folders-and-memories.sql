CREATE TABLE `folder_references` (
	`folder_id` text NOT NULL,
	`kind` text NOT NULL,
	`reference_id` text NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`folder_id`, `kind`, `reference_id`),
	FOREIGN KEY (`folder_id`) REFERENCES `folders`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `folder_references_reference` ON `folder_references` (`kind`,`reference_id`);--> statement-breakpoint
CREATE TABLE `folders` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`organization_id` text NOT NULL,
	`parent_id` text,
	`name` text NOT NULL,
	`instructions` text DEFAULT '' NOT NULL,
	`model_ids` text NOT NULL,
	`meta` text NOT NULL,
	`is_expanded` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`parent_id`) REFERENCES `folders`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `folders_user` ON `folders` (`user_id`,`parent_id`);--> statement-breakpoint
CREATE INDEX `folders_parent` ON `folders` (`parent_id`);--> statement-breakpoint
CREATE INDEX `folders_organization` ON `folders` (`organization_id`);--> statement-breakpoint
CREATE TABLE `memories` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`content` text NOT NULL,
	`source` text NOT NULL,
	`chat_id` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `memories_user` ON `memories` (`user_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE TABLE `memory_vectors` (
	`memory_id` text NOT NULL,
	`space_id` integer NOT NULL,
	`vector` blob NOT NULL,
	PRIMARY KEY(`memory_id`, `space_id`),
	FOREIGN KEY (`memory_id`) REFERENCES `memories`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `chats_folder` ON `chats` (`folder_id`,`updated_at`,`id`) WHERE folder_id IS NOT NULL;
