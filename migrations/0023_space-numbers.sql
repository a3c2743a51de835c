-- Nobody has spaces yet: the table is made anew.
DROP TABLE `embedding_spaces`;
--> statement-breakpoint
CREATE TABLE `embedding_spaces` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`model` text NOT NULL,
	`prefix` text DEFAULT '' NOT NULL,
	`dimension` integer,
	`state` text NOT NULL,
	`error` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `embedding_spaces_state` ON `embedding_spaces` (`state`);
