ALTER TABLE `channel_webhook_faces` DROP COLUMN `picture`;
