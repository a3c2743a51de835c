DROP TABLE `sign_in_failures`;--> statement-breakpoint
CREATE TABLE `sign_in_failures` (
	`bucket` text PRIMARY KEY NOT NULL,
	`level` real NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sign_in_failures_updated_at` ON `sign_in_failures` (`updated_at`);
