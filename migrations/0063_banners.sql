CREATE TABLE `banners` (
	`id` text PRIMARY KEY NOT NULL,
	`position` integer NOT NULL,
	`type` text NOT NULL,
	`title` text,
	`content` text NOT NULL,
	`dismissible` integer NOT NULL,
	`timestamp` integer NOT NULL
);
