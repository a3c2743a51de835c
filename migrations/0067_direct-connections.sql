CREATE TABLE `direct_connections` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`base_url` text NOT NULL,
	`sealed_key` text,
	`prefix_id` text DEFAULT '' NOT NULL,
	`model_ids` text NOT NULL,
	`quirks` text DEFAULT '{}' NOT NULL,
	`enabled` integer DEFAULT true NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `direct_connections_user` ON `direct_connections` (`user_id`,`created_at`);
--> statement-breakpoint
-- Until now clients could keep keys of providers in people's settings, unsealed. Nothing used them.
UPDATE `users` SET `settings` = json_remove(`settings`, '$.ui.directConnections') WHERE json_type(`settings`, '$.ui.directConnections') IS NOT NULL;
