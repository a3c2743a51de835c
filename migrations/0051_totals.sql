CREATE TABLE `job_turns` (
	`kind` text PRIMARY KEY NOT NULL,
	`turn` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `person_totals` (
	`user_id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`bytes` integer DEFAULT 0 NOT NULL,
	`held_bytes` integer DEFAULT 0 NOT NULL,
	`files` integer DEFAULT 0 NOT NULL,
	`chats` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `person_totals_bytes` ON `person_totals` (`bytes`,`user_id`);--> statement-breakpoint
CREATE INDEX `person_totals_organization` ON `person_totals` (`organization_id`,`bytes`,`user_id`);--> statement-breakpoint
CREATE TABLE `storage_totals` (
	`scope` text PRIMARY KEY NOT NULL,
	`bytes` integer DEFAULT 0 NOT NULL,
	`held_bytes` integer DEFAULT 0 NOT NULL,
	`files` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE `uploads` ADD `held_bytes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `organizations` ADD `max_storage` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `waiting_network` text;--> statement-breakpoint
CREATE INDEX `users_waiting_network` ON `users` (`waiting_network`) WHERE waiting_network IS NOT NULL;--> statement-breakpoint
CREATE INDEX `files_user_size` ON `files` (`user_id`,`size`,`id`);
