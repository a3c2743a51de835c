ALTER TABLE `connections` ADD `quirks` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `connections` ADD `policy` text DEFAULT '{}' NOT NULL;
