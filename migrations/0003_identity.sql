CREATE TABLE `landing_rules` (
	`id` text PRIMARY KEY NOT NULL,
	`position` integer NOT NULL,
	`kind` text NOT NULL,
	`attribute` text DEFAULT '' NOT NULL,
	`value` text NOT NULL,
	`organization_id` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `landing_rules_position` ON `landing_rules` (`position`);--> statement-breakpoint
CREATE TABLE `identities` (
	`source` text NOT NULL,
	`provider` text NOT NULL,
	`external_id` text NOT NULL,
	`user_id` text NOT NULL,
	PRIMARY KEY(`source`, `provider`, `external_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `identities_user` ON `identities` (`user_id`);--> statement-breakpoint
DROP INDEX `users_organization`;--> statement-breakpoint
ALTER TABLE `users` ADD `user_name` text;--> statement-breakpoint
ALTER TABLE `users` ADD `name_parts` text;--> statement-breakpoint
ALTER TABLE `users` ADD `emails` text;--> statement-breakpoint
CREATE UNIQUE INDEX `users_user_name` ON `users` (lower(user_name));--> statement-breakpoint
CREATE INDEX `users_organization` ON `users` (`organization_id`,`id`);--> statement-breakpoint
ALTER TABLE `api_keys` ADD `hint` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `sessions` ADD `provider` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `provider_session` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `sealed_id_token` text;--> statement-breakpoint
CREATE INDEX `sessions_provider` ON `sessions` (`provider`,`provider_session`);--> statement-breakpoint
ALTER TABLE `connections` ADD `organization_id` text REFERENCES organizations(id) ON DELETE cascade;--> statement-breakpoint
CREATE INDEX `audit_events_organization` ON `audit_events` (`organization_id`,`id`);--> statement-breakpoint
CREATE INDEX `audit_events_kind` ON `audit_events` (`actor_kind`,`id`);--> statement-breakpoint
CREATE INDEX `groups_name` ON `groups` (lower(name),`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `groups_external_id` ON `groups` (`external_id`);--> statement-breakpoint
CREATE INDEX `groups_organization` ON `groups` (`organization_id`);
