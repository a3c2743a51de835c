DROP INDEX `grants_principal`;--> statement-breakpoint
CREATE INDEX `grants_principal` ON `grants` (`principal_type`,`principal_id`,`resource_type`,`resource_id`);--> statement-breakpoint
CREATE INDEX `files_created` ON `files` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `files_state` ON `files` (`state`,`chunk_count`);--> statement-breakpoint
CREATE INDEX `knowledge_updated` ON `knowledge` (`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `prompts_updated` ON `prompts` (`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `prompts_by_command` ON `prompts` (`command`);
