DROP INDEX `chat_tags_name`;--> statement-breakpoint
ALTER TABLE `chat_tags` ADD `user_id` text;--> statement-breakpoint
CREATE INDEX `chat_tags_user` ON `chat_tags` (`user_id`,name COLLATE NOCASE,`chat_id`);
