ALTER TABLE `plugins` ADD `runner` text;
