-- The change feed: one row. Which process reads the binlog, until when, and up to which position its changes are recorded.
CREATE TABLE IF NOT EXISTS `{prefix}svc_feed` (
  `id` tinyint unsigned NOT NULL,
  `owner` char(16) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `due_at` datetime(6) NOT NULL,
  `beat` bigint unsigned NOT NULL DEFAULT 0,
  `lag_ms` int unsigned DEFAULT NULL,
  `server` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `position` mediumtext CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `error` varchar(500) CHARACTER SET utf8mb4 DEFAULT NULL,
  `error_at` datetime(6) DEFAULT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
