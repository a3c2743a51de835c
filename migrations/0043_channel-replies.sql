CREATE TABLE `channel_replies` (
	`message_id` text PRIMARY KEY NOT NULL,
	`question_id` text NOT NULL,
	`credential_kind` text NOT NULL,
	`credential_id` text NOT NULL,
	`origin` text NOT NULL,
	FOREIGN KEY (`message_id`) REFERENCES `channel_messages`(`id`) ON UPDATE no action ON DELETE cascade
);
