ALTER TABLE `channels` ADD `member_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `channels_left` ON `channels` (`kind`) WHERE member_count = 0;
