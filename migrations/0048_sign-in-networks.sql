CREATE TABLE `sign_in_networks` (
	`fingerprint` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`used_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `sign_in_networks_user` ON `sign_in_networks` (`user_id`,`used_at`);--> statement-breakpoint
CREATE INDEX `sign_in_networks_used_at` ON `sign_in_networks` (`used_at`);
