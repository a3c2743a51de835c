ALTER TABLE `organizations` ADD `default_models` text;
