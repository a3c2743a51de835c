ALTER TABLE `messages` ADD `step` integer DEFAULT 0 NOT NULL;
