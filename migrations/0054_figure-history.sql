CREATE TABLE `figure_history` (
	`span` integer NOT NULL,
	`at` integer NOT NULL,
	`requests` integer NOT NULL,
	`errors` integer NOT NULL,
	`first_bytes` integer NOT NULL,
	`first_byte_ms` integer NOT NULL,
	`tokens_in` integer NOT NULL,
	`tokens_out` integer NOT NULL,
	`jobs` integer NOT NULL,
	`people` integer NOT NULL,
	`disk_used` integer NOT NULL,
	`disk_size` integer NOT NULL,
	PRIMARY KEY(`span`, `at`)
);
