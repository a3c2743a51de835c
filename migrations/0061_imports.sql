CREATE TABLE `import_items` (
	`import_id` text NOT NULL,
	`kind` text NOT NULL,
	`source_id` text NOT NULL,
	`target_id` text,
	`state` text NOT NULL,
	`notes` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`import_id`, `kind`, `source_id`),
	FOREIGN KEY (`import_id`) REFERENCES `imports`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `import_items_state` ON `import_items` (`import_id`,`state`,`kind`,`source_id`);--> statement-breakpoint
CREATE TABLE `imports` (
	`id` text PRIMARY KEY NOT NULL,
	`source` text NOT NULL,
	`fingerprint` text NOT NULL,
	`name` text NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `imports_fingerprint_unique` ON `imports` (`fingerprint`);--> statement-breakpoint
ALTER TABLE `api_keys` ADD `expires_at` integer;
