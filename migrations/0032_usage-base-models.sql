-- Nothing has written into these tables before: a primary key cannot be altered.
DROP TABLE `usage_days`;
--> statement-breakpoint
DROP TABLE `usage_records`;
--> statement-breakpoint
CREATE TABLE `usage_days` (
	`day` integer NOT NULL,
	`user_id` text NOT NULL,
	`key_id` text NOT NULL,
	`organization_id` text NOT NULL,
	`model` text NOT NULL,
	`base_model` text NOT NULL,
	`connection_id` text NOT NULL,
	`api` text NOT NULL,
	`calls` integer NOT NULL,
	`requests` integer NOT NULL,
	`errors` integer NOT NULL,
	`input` integer NOT NULL,
	`cached` integer NOT NULL,
	`cache_write` integer NOT NULL,
	`output` integer NOT NULL,
	`reasoning` integer NOT NULL,
	`total` integer NOT NULL,
	`estimated` integer NOT NULL,
	`duration_ms` integer NOT NULL,
	PRIMARY KEY(`user_id`, `day`, `key_id`, `organization_id`, `model`, `base_model`, `connection_id`, `api`)
);
--> statement-breakpoint
CREATE TABLE `usage_records` (
	`id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`user_id` text NOT NULL,
	`key_id` text NOT NULL,
	`organization_id` text NOT NULL,
	`model` text NOT NULL,
	`base_model` text NOT NULL,
	`connection_id` text NOT NULL,
	`api` text NOT NULL,
	`state` text NOT NULL,
	`code` text,
	`input` integer NOT NULL,
	`cached` integer NOT NULL,
	`cache_write` integer NOT NULL,
	`output` integer NOT NULL,
	`reasoning` integer NOT NULL,
	`total` integer NOT NULL,
	`is_estimated` integer NOT NULL,
	`requests` integer NOT NULL,
	`duration_ms` integer NOT NULL,
	`first_ms` integer
);
--> statement-breakpoint
CREATE INDEX `usage_days_day` ON `usage_days` (`day`);
--> statement-breakpoint
CREATE INDEX `usage_days_organization` ON `usage_days` (`organization_id`,`day`);
--> statement-breakpoint
CREATE INDEX `usage_records_at` ON `usage_records` (`at`,`id`);
--> statement-breakpoint
CREATE INDEX `usage_records_user` ON `usage_records` (`user_id`,`at`,`id`);
--> statement-breakpoint
CREATE INDEX `usage_records_organization` ON `usage_records` (`organization_id`,`at`,`id`);
