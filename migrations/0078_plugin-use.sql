CREATE TABLE `plugin_contacts` (
	`family` text NOT NULL,
	`plugin_id` text NOT NULL,
	`host` text NOT NULL,
	`is_refused` integer NOT NULL,
	`requests` integer NOT NULL,
	`bytes_out` integer NOT NULL,
	`bytes_in` integer NOT NULL,
	`last_at` integer NOT NULL,
	PRIMARY KEY(`family`, `plugin_id`, `host`, `is_refused`),
	FOREIGN KEY (`family`,`plugin_id`) REFERENCES `plugins`(`family`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `plugin_contacts_last` ON `plugin_contacts` (`last_at`);--> statement-breakpoint
CREATE TABLE `plugin_days` (
	`family` text NOT NULL,
	`plugin_id` text NOT NULL,
	`day` integer NOT NULL,
	`calls` integer NOT NULL,
	`errors` integer NOT NULL,
	`bytes_out` integer NOT NULL,
	`bytes_in` integer NOT NULL,
	`duration_ms` integer NOT NULL,
	`memory` integer NOT NULL,
	PRIMARY KEY(`family`, `plugin_id`, `day`),
	FOREIGN KEY (`family`,`plugin_id`) REFERENCES `plugins`(`family`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `plugin_days_day` ON `plugin_days` (`day`);--> statement-breakpoint
ALTER TABLE `plugins` ADD `is_off` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `plugins` ADD `origin` text;--> statement-breakpoint
ALTER TABLE `plugins` ADD `budget` text;
