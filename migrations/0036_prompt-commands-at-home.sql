DROP INDEX `prompts_command`;--> statement-breakpoint
CREATE UNIQUE INDEX `prompts_command` ON `prompts` (`user_id`,`organization_id`,`command`);
