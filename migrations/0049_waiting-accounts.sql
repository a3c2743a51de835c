ALTER TABLE `users` ADD `waiting_since` integer;--> statement-breakpoint
CREATE INDEX `users_waiting_since` ON `users` (`waiting_since`) WHERE waiting_since IS NOT NULL;
