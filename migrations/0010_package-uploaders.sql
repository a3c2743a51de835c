ALTER TABLE `plugin_packages` ADD `by_admin` integer DEFAULT false NOT NULL;
