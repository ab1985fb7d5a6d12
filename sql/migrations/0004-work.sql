-- What is to be built: one row for each thing that was touched on a site, stored with the write that touched it.
CREATE TABLE IF NOT EXISTS `{prefix}svc_work` (
  `blog_id` bigint unsigned NOT NULL,
  `kind` varchar(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `name` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `version` bigint unsigned NOT NULL,
  `is_bulk` tinyint unsigned NOT NULL DEFAULT 0,
  `since` datetime(6) NOT NULL,
  `due_at` datetime(6) NOT NULL,
  `owner` char(16) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `previous_owner` char(16) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `tries` int unsigned NOT NULL DEFAULT 0,
  `error` varchar(500) CHARACTER SET utf8mb4 DEFAULT NULL,
  PRIMARY KEY (`blog_id`, `kind`, `name`),
  KEY `due` (`due_at`, `blog_id`),
  KEY `claim` (`blog_id`, `is_bulk`, `version`),
  KEY `owner` (`owner`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
-- The version of each site: how many writes of this service it has had.
CREATE TABLE IF NOT EXISTS `{prefix}svc_sites` (
  `blog_id` bigint unsigned NOT NULL,
  `version` bigint unsigned NOT NULL,
  PRIMARY KEY (`blog_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
-- The static copy of each page. The sizes, the digest and the time of the file are null until its files are written.
CREATE TABLE IF NOT EXISTS `{prefix}svc_copies` (
  `blog_id` bigint unsigned NOT NULL,
  `page_id` bigint unsigned NOT NULL,
  `url` text NOT NULL,
  `version` bigint unsigned NOT NULL,
  `source` char(64) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `page_modified` char(19) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `digest` char(64) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `file_time` bigint unsigned DEFAULT NULL,
  `html_bytes` int unsigned DEFAULT NULL,
  `bytes` int unsigned NOT NULL DEFAULT 0,
  PRIMARY KEY (`blog_id`, `page_id`),
  KEY `usage` (`blog_id`, `bytes`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
