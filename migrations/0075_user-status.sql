ALTER TABLE `users` ADD `status_emoji` text;--> statement-breakpoint
ALTER TABLE `users` ADD `status_message` text;--> statement-breakpoint
ALTER TABLE `users` ADD `status_expires_at` integer;
