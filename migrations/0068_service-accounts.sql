ALTER TABLE `api_keys` ADD `allowed_endpoints` text;--> statement-breakpoint
ALTER TABLE `users` ADD `kind` text DEFAULT 'person' NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `free_probes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `users_service` ON `users` (`id`) WHERE kind = 'service';--> statement-breakpoint
ALTER TABLE `usage_days` ADD `probes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `usage_days` ADD `free_requests` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `usage_days` ADD `free_total` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `usage_records` ADD `is_probe` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `usage_records` ADD `is_free` integer DEFAULT false NOT NULL;
