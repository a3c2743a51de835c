ALTER TABLE `plugin_packages` ADD `contents` text;
