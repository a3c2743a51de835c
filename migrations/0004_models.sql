CREATE TABLE `model_pictures` (
	`model_id` text PRIMARY KEY NOT NULL,
	`url` text NOT NULL,
	FOREIGN KEY (`model_id`) REFERENCES `stored_models`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
ALTER TABLE `connection_checks` ADD `reason` text;
