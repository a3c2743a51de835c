CREATE TABLE `local_model_pulls` (
	`id` text PRIMARY KEY NOT NULL,
	`connection_id` text NOT NULL,
	`model` text NOT NULL,
	`state` text NOT NULL,
	`status` text DEFAULT '' NOT NULL,
	`completed` integer DEFAULT 0 NOT NULL,
	`total` integer DEFAULT 0 NOT NULL,
	`error` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `local_model_pulls_running` ON `local_model_pulls` (`connection_id`,`model`) WHERE state = 'running';--> statement-breakpoint
CREATE INDEX `local_model_pulls_created_at` ON `local_model_pulls` (`created_at`,`id`);
