-- Every write of the service, with the state after it. Rows are only added, and deleted when they are older than the retention; none is updated.
-- A row is an entry, or a content (kind `content`), which entries name by its hash. The hash of a content is that of its bytes; the hash of an entry covers
-- its fields and the hash of the previous entry of the same thing. Blog id 0: tokens.
CREATE TABLE IF NOT EXISTS `{prefix}svc_history` (
  `id` bigint unsigned NOT NULL AUTO_INCREMENT,
  `blog_id` bigint unsigned NOT NULL,
  `hash` binary(32) NOT NULL,
  `kind` varchar(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `ref` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `name` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `action` varchar(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
  `state` mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `content` binary(32) DEFAULT NULL,
  `version` binary(32) DEFAULT NULL,
  `previous` binary(32) DEFAULT NULL,
  `user_id` bigint unsigned DEFAULT NULL,
  `token_id` bigint unsigned DEFAULT NULL,
  `label` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `request_id` varchar(36) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `created_at` datetime(3) NOT NULL,
  `bytes` int unsigned NOT NULL DEFAULT 0,
  `data` mediumblob DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `hash` (`blog_id`, `hash`),
  KEY `thing` (`blog_id`, `kind`, `ref`),
  KEY `content` (`blog_id`, `content`),
  KEY `age` (`blog_id`, `created_at`, `bytes`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
