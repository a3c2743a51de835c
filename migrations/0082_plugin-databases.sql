CREATE TABLE `plugin_databases` (
	`family` text NOT NULL,
	`plugin_id` text NOT NULL,
	`holder` text NOT NULL,
	`user_id` text,
	`path` text NOT NULL,
	`object_id` text NOT NULL,
	`size` integer NOT NULL,
	`version` integer NOT NULL,
	`writer` text NOT NULL,
	`serial` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`family`, `plugin_id`, `holder`, `path`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`family`,`plugin_id`) REFERENCES `plugins`(`family`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `plugin_databases_user` ON `plugin_databases` (`user_id`);
