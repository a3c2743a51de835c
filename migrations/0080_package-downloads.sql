CREATE TABLE `package_downloads` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`user_id` text,
	`by_admin` integer NOT NULL,
	`state` text NOT NULL,
	`wanted` text NOT NULL,
	`packages` text NOT NULL,
	`present` text NOT NULL,
	`fetched` text NOT NULL,
	`status` text DEFAULT '' NOT NULL,
	`completed` integer DEFAULT 0 NOT NULL,
	`error` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `package_downloads_organization` ON `package_downloads` (`organization_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `package_downloads_user` ON `package_downloads` (`user_id`);
