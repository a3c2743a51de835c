-- Nobody has texts or passages yet: what there is goes, and comes back in its new form.
DROP TRIGGER file_texts_drop;
--> statement-breakpoint
DROP TRIGGER file_chunks_delete_rest;
--> statement-breakpoint
DELETE FROM `file_chunks`;
--> statement-breakpoint
DROP TABLE `chunk_vectors`;
--> statement-breakpoint
DROP TABLE `vector_cells`;
--> statement-breakpoint
DROP TABLE `file_texts`;
--> statement-breakpoint
DROP TABLE `chunk_search`;
--> statement-breakpoint
CREATE TABLE `file_texts` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`file_id` text NOT NULL,
	`version` integer NOT NULL,
	`given` integer DEFAULT false NOT NULL,
	`sha256` text,
	`length` integer,
	`page_count` integer,
	`chunk_count` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`file_id`) REFERENCES `files`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `file_texts_version` ON `file_texts` (`file_id`,`version`);
--> statement-breakpoint
CREATE TABLE `chunk_vectors` (
	`key` integer PRIMARY KEY NOT NULL,
	`space_id` integer NOT NULL,
	`chunk` integer NOT NULL,
	`vector` blob NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `chunk_vectors_chunk` ON `chunk_vectors` (`space_id`,`chunk`);
--> statement-breakpoint
CREATE TABLE `vector_cells` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`space_id` integer NOT NULL,
	`generation` integer NOT NULL,
	`center` blob NOT NULL,
	`size` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `vector_cells_space` ON `vector_cells` (`space_id`,`generation`);
--> statement-breakpoint
-- What passages are found by: their words, prepared by the service (scripts without blanks are cut into pairs of letters), and which text they are of. The text itself stays in its own table.
CREATE VIRTUAL TABLE chunk_search USING fts5(scope, headings, body, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2');
--> statement-breakpoint
CREATE TRIGGER file_chunks_delete_rest AFTER DELETE ON file_chunks BEGIN
  DELETE FROM chunk_search WHERE rowid = old.number;
  DELETE FROM chunk_vectors WHERE space_id IN (SELECT id FROM embedding_spaces) AND chunk = old.number;
END;
--> statement-breakpoint
-- A text goes with its row, whatever takes it away: a newer one, its file, its person.
CREATE TRIGGER file_texts_drop AFTER DELETE ON file_texts BEGIN
  INSERT INTO dropped_blobs (key) VALUES ('files/' || old.file_id || '/text/' || old.version) ON CONFLICT DO NOTHING;
  INSERT INTO dropped_chunks (file_id, version) VALUES (old.file_id, old.version) ON CONFLICT DO NOTHING;
END;
