ALTER TABLE `memories` ADD `type` text DEFAULT 'context' NOT NULL;--> statement-breakpoint
ALTER TABLE `memories` ADD `path` text;
