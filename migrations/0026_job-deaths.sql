ALTER TABLE `jobs` ADD `deaths` integer DEFAULT 0 NOT NULL;
