CREATE TABLE `knowledge_waiting` (
	`knowledge_id` text NOT NULL,
	`file_id` text NOT NULL,
	`directory_id` text,
	`path` text,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`knowledge_id`, `file_id`),
	FOREIGN KEY (`knowledge_id`) REFERENCES `knowledge`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`file_id`) REFERENCES `files`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`directory_id`) REFERENCES `knowledge_directories`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `knowledge_waiting_file` ON `knowledge_waiting` (`file_id`);--> statement-breakpoint
CREATE INDEX `knowledge_waiting_directory` ON `knowledge_waiting` (`directory_id`);
