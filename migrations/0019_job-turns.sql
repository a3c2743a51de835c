ALTER TABLE `file_texts` ADD `given` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `file_texts` ADD `sha256` text;--> statement-breakpoint
ALTER TABLE `file_texts` ADD `length` integer;--> statement-breakpoint
ALTER TABLE `file_texts` ADD `page_count` integer;--> statement-breakpoint
ALTER TABLE `file_texts` ADD `chunk_count` integer;--> statement-breakpoint
ALTER TABLE `jobs` ADD `turn` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `jobs_turn` ON `jobs` (`kind`,`turn`);--> statement-breakpoint
CREATE INDEX `jobs_person` ON `jobs` (`kind`,`user_id`,`turn`);
