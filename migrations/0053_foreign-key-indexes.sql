CREATE INDEX `channel_webhooks_user` ON `channel_webhooks` (`user_id`);--> statement-breakpoint
CREATE INDEX `channels_user` ON `channels` (`user_id`);--> statement-breakpoint
CREATE INDEX `knowledge_files_user` ON `knowledge_files` (`user_id`);--> statement-breakpoint
CREATE INDEX `knowledge_waiting_user` ON `knowledge_waiting` (`user_id`);--> statement-breakpoint
CREATE INDEX `model_knowledge_organization` ON `model_knowledge` (`organization_id`);--> statement-breakpoint
CREATE INDEX `connections_organization` ON `connections` (`organization_id`);--> statement-breakpoint
CREATE INDEX `groups_user` ON `groups` (`user_id`);--> statement-breakpoint
CREATE INDEX `landing_rules_organization` ON `landing_rules` (`organization_id`);--> statement-breakpoint
CREATE INDEX `plugin_packages_user` ON `plugin_packages` (`user_id`);--> statement-breakpoint
CREATE INDEX `plugin_versions_user` ON `plugin_versions` (`user_id`);--> statement-breakpoint
CREATE INDEX `plugins_organization` ON `plugins` (`organization_id`);--> statement-breakpoint
CREATE INDEX `tool_server_tokens_user` ON `tool_server_tokens` (`user_id`);--> statement-breakpoint
CREATE INDEX `tool_servers_organization` ON `tool_servers` (`organization_id`);--> statement-breakpoint
CREATE INDEX `prompt_versions_user` ON `prompt_versions` (`user_id`);--> statement-breakpoint
CREATE INDEX `webhook_endpoints_user` ON `webhook_endpoints` (`user_id`);
