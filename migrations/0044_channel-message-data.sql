ALTER TABLE `channel_messages` ADD `organization_id` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `channel_messages` ADD `data` text DEFAULT '{}' NOT NULL;
