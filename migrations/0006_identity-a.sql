CREATE TABLE `profile_images` (
	`user_id` text PRIMARY KEY NOT NULL,
	`url` text NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
DROP INDEX `users_name`;--> statement-breakpoint
CREATE INDEX `users_role` ON `users` (`role`,`id`);--> statement-breakpoint
CREATE INDEX `users_name` ON `users` (name COLLATE NOCASE,`id`);--> statement-breakpoint
ALTER TABLE `users` DROP COLUMN `profile_image_url`;--> statement-breakpoint
ALTER TABLE `groups` ADD `user_id` text REFERENCES users(id) ON DELETE SET NULL;--> statement-breakpoint
ALTER TABLE `groups` ADD `share` text DEFAULT 'members' NOT NULL;--> statement-breakpoint
ALTER TABLE `sign_in_failures` DROP COLUMN `failures`;--> statement-breakpoint
ALTER TABLE `sign_in_failures` DROP COLUMN `retry_at`;
