CREATE TABLE `stored_responses` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`previous_id` text,
	`response` text NOT NULL,
	`input` text,
	`is_large` integer NOT NULL,
	`size` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `stored_responses_user` ON `stored_responses` (`user_id`);--> statement-breakpoint
CREATE INDEX `stored_responses_expires_at` ON `stored_responses` (`expires_at`);
