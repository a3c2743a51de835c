CREATE TABLE `data_copies` (
	`user_id` text PRIMARY KEY NOT NULL,
	`lease` text NOT NULL,
	`lease_until` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `erasures` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text,
	`subject_hash` text NOT NULL,
	`successor_id` text NOT NULL,
	`state` text NOT NULL,
	`step` text NOT NULL,
	`place` text DEFAULT '' NOT NULL,
	`counts` text NOT NULL,
	`error` text,
	`started_by` text NOT NULL,
	`started_kind` text NOT NULL,
	`organization_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`finished_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `erasures_user` ON `erasures` (`user_id`);--> statement-breakpoint
CREATE TABLE `retention_runs` (
	`organization_id` text PRIMARY KEY NOT NULL,
	`due_at` integer NOT NULL,
	`files_after` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE `legal_holds` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`target_id` text NOT NULL,
	`reason` text NOT NULL,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `legal_holds_target_id_unique` ON `legal_holds` (`target_id`);--> statement-breakpoint
ALTER TABLE `organizations` ADD `retention` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE INDEX `channel_messages_age` ON `channel_messages` (`organization_id`,`created_at`) WHERE deleted_at IS NULL;
