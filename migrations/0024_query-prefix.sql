ALTER TABLE `embedding_spaces` ADD `query_prefix` text DEFAULT '' NOT NULL;
