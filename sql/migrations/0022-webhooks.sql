-- Receivers of changes. `blog_id` 0 is the network. `since` is the cursor behind the last delivered change: the changes after it are the queue of the
-- receiver. `message_end` is the cursor at the end of a message that has failed, so that it is sent again as it was. The secrets are readable: they sign.
CREATE TABLE IF NOT EXISTS `{prefix}svc_webhooks` (
  `id` int unsigned NOT NULL AUTO_INCREMENT,
  `blog_id` bigint unsigned NOT NULL,
  `url` varchar(2000) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `filter` text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `quiet_seconds` int unsigned NOT NULL DEFAULT 0,
  `secret` varbinary(64) NOT NULL,
  `previous_secret` varbinary(64) DEFAULT NULL,
  `previous_until` datetime(3) DEFAULT NULL,
  `since` varchar(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `message_end` varchar(40) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `state` varchar(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'enabled',
  `reason` varchar(10) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `disabled_at` datetime(3) DEFAULT NULL,
  `tries` int unsigned NOT NULL DEFAULT 0,
  `failing_since` datetime(3) DEFAULT NULL,
  `next_at` datetime(6) NOT NULL DEFAULT '2000-01-01 00:00:00',
  `error` varchar(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `created_at` datetime(3) NOT NULL,
  `owner` varchar(16) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `due_at` datetime(6) NOT NULL DEFAULT '2000-01-01 00:00:00',
  PRIMARY KEY (`id`),
  KEY `site` (`blog_id`),
  KEY `state` (`state`, `next_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- The last tries to deliver messages. A message is what changed after the cursor `since` up to `message_end`.
CREATE TABLE IF NOT EXISTS `{prefix}svc_deliveries` (
  `id` bigint unsigned NOT NULL AUTO_INCREMENT,
  `webhook_id` int unsigned NOT NULL,
  `message_id` varchar(100) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `type` varchar(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `since` varchar(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `message_end` varchar(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `events` int unsigned NOT NULL,
  `status` varchar(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `http_status` smallint unsigned DEFAULT NULL,
  `try` int unsigned NOT NULL,
  `ms` int unsigned NOT NULL,
  `error` varchar(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `created_at` datetime(3) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `webhook` (`webhook_id`, `id`),
  KEY `age` (`created_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
