ALTER TABLE `files` ADD `versions` integer DEFAULT 0 NOT NULL;
