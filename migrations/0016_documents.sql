CREATE TABLE `dropped_uploads` (
	`storage_id` text PRIMARY KEY NOT NULL,
	`key` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `file_texts` (
	`file_id` text NOT NULL,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`file_id`, `version`),
	FOREIGN KEY (`file_id`) REFERENCES `files`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `upload_parts` (
	`upload_id` text NOT NULL,
	`number` integer NOT NULL,
	`size` integer NOT NULL,
	`etag` text NOT NULL,
	`sha256` text NOT NULL,
	PRIMARY KEY(`upload_id`, `number`),
	FOREIGN KEY (`upload_id`) REFERENCES `uploads`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `uploads` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`key` text NOT NULL,
	`storage_id` text NOT NULL,
	`filename` text NOT NULL,
	`content_type` text NOT NULL,
	`size` integer,
	`part_size` integer,
	`meta` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `uploads_user` ON `uploads` (`user_id`);--> statement-breakpoint
CREATE INDEX `uploads_expires` ON `uploads` (`expires_at`);--> statement-breakpoint
CREATE TABLE `jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`user_id` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`lease` text,
	`lease_until` integer,
	`due_at` integer NOT NULL,
	`deadline` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `jobs_subject` ON `jobs` (`kind`,`subject`);--> statement-breakpoint
CREATE INDEX `jobs_due` ON `jobs` (`kind`,`due_at`);--> statement-breakpoint
CREATE INDEX `jobs_leased` ON `jobs` (`lease_until`);--> statement-breakpoint
CREATE TABLE `knowledge` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text,
	`organization_id` text NOT NULL,
	`name` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`meta` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `knowledge_organization` ON `knowledge` (`organization_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `knowledge_user` ON `knowledge` (`user_id`);--> statement-breakpoint
CREATE TABLE `knowledge_directories` (
	`id` text PRIMARY KEY NOT NULL,
	`knowledge_id` text NOT NULL,
	`parent_id` text,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`knowledge_id`) REFERENCES `knowledge`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`parent_id`) REFERENCES `knowledge_directories`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `knowledge_directories_name` ON `knowledge_directories` (`knowledge_id`,`parent_id`,`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `knowledge_directories_top` ON `knowledge_directories` (`knowledge_id`,`name`) WHERE parent_id IS NULL;--> statement-breakpoint
CREATE INDEX `knowledge_directories_parent` ON `knowledge_directories` (`parent_id`);--> statement-breakpoint
CREATE TABLE `knowledge_files` (
	`knowledge_id` text NOT NULL,
	`file_id` text NOT NULL,
	`directory_id` text,
	`content_hash` text NOT NULL,
	`path` text,
	`user_id` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`knowledge_id`, `file_id`),
	FOREIGN KEY (`knowledge_id`) REFERENCES `knowledge`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`file_id`) REFERENCES `files`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`directory_id`) REFERENCES `knowledge_directories`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `knowledge_files_content` ON `knowledge_files` (`knowledge_id`,`content_hash`);--> statement-breakpoint
CREATE INDEX `knowledge_files_file` ON `knowledge_files` (`file_id`);--> statement-breakpoint
CREATE INDEX `knowledge_files_directory` ON `knowledge_files` (`directory_id`);--> statement-breakpoint
CREATE TABLE `model_knowledge` (
	`id` text PRIMARY KEY NOT NULL,
	`model_id` text NOT NULL,
	`organization_id` text,
	`kind` text NOT NULL,
	`target_id` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `model_knowledge_unique` ON `model_knowledge` (`model_id`,`organization_id`,`kind`,`target_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `model_knowledge_everyone` ON `model_knowledge` (`model_id`,`kind`,`target_id`) WHERE organization_id IS NULL;--> statement-breakpoint
CREATE INDEX `model_knowledge_target` ON `model_knowledge` (`kind`,`target_id`);--> statement-breakpoint
CREATE TABLE `chunk_vectors` (
	`space_id` integer NOT NULL,
	`cell` integer NOT NULL,
	`chunk` integer NOT NULL,
	`file_id` text NOT NULL,
	`vector` blob NOT NULL,
	PRIMARY KEY(`space_id`, `cell`, `chunk`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `chunk_vectors_chunk` ON `chunk_vectors` (`chunk`,`space_id`);--> statement-breakpoint
CREATE INDEX `chunk_vectors_file` ON `chunk_vectors` (`file_id`,`space_id`);--> statement-breakpoint
CREATE TABLE `dropped_chunks` (
	`file_id` text NOT NULL,
	`version` integer NOT NULL,
	PRIMARY KEY(`file_id`, `version`)
);
--> statement-breakpoint
CREATE TABLE `embedding_spaces` (
	`id` integer PRIMARY KEY NOT NULL,
	`model` text NOT NULL,
	`prefix` text DEFAULT '' NOT NULL,
	`dimension` integer,
	`state` text NOT NULL,
	`error` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `embedding_spaces_state` ON `embedding_spaces` (`state`);--> statement-breakpoint
CREATE TABLE `file_chunks` (
	`number` integer PRIMARY KEY NOT NULL,
	`file_id` text NOT NULL,
	`version` integer NOT NULL,
	`position` integer NOT NULL,
	`text` text NOT NULL,
	`headings` text NOT NULL,
	`page` integer,
	`label` text,
	`start` integer NOT NULL,
	`end` integer NOT NULL,
	`tokens` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `file_chunks_position` ON `file_chunks` (`file_id`,`version`,`position`);--> statement-breakpoint
CREATE TABLE `vector_cells` (
	`id` integer PRIMARY KEY NOT NULL,
	`space_id` integer NOT NULL,
	`generation` integer NOT NULL,
	`center` blob NOT NULL,
	`radius` real DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `vector_cells_space` ON `vector_cells` (`space_id`,`generation`);--> statement-breakpoint
DROP INDEX `files_user`;--> statement-breakpoint
ALTER TABLE `files` ADD `organization_id` text;--> statement-breakpoint
ALTER TABLE `files` ADD `sha256` text;--> statement-breakpoint
ALTER TABLE `files` ADD `meta` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `files` ADD `state` text DEFAULT 'stored' NOT NULL;--> statement-breakpoint
ALTER TABLE `files` ADD `stage` text;--> statement-breakpoint
ALTER TABLE `files` ADD `progress_done` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `files` ADD `progress_total` integer;--> statement-breakpoint
ALTER TABLE `files` ADD `progress_unit` text;--> statement-breakpoint
ALTER TABLE `files` ADD `error_code` text;--> statement-breakpoint
ALTER TABLE `files` ADD `error` text;--> statement-breakpoint
ALTER TABLE `files` ADD `version` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `files` ADD `text_sha256` text;--> statement-breakpoint
ALTER TABLE `files` ADD `text_length` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `files` ADD `chunk_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `files` ADD `page_count` integer;--> statement-breakpoint
ALTER TABLE `files` ADD `updated_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `files_pending` ON `files` (`updated_at`) WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX `files_user` ON `files` (`user_id`,`created_at`,`id`);
