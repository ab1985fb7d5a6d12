-- What the service has seen of each site: digests of the rows that pages may show. Comparing them with the rows finds the edits of other programs.
-- The round of the comparisons of a site, the checksum of all its rows as last polled, and whether its menus link more than pages and categories.
CREATE TABLE IF NOT EXISTS `{prefix}svc_seen_sites` (
  `blog_id` bigint unsigned NOT NULL,
  `round` bigint unsigned NOT NULL DEFAULT 0,
  `checksum` char(64) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `links_others` tinyint unsigned NOT NULL DEFAULT 0,
  PRIMARY KEY (`blog_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
CREATE TABLE IF NOT EXISTS `{prefix}svc_seen_posts` (
  `blog_id` bigint unsigned NOT NULL,
  `post_id` bigint unsigned NOT NULL,
  `type` varchar(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `parent` bigint unsigned NOT NULL,
  `slug` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `address` int unsigned NOT NULL,
  `listing` int unsigned NOT NULL,
  `texts` int unsigned NOT NULL,
  `meta` int unsigned NOT NULL,
  PRIMARY KEY (`blog_id`, `post_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
CREATE TABLE IF NOT EXISTS `{prefix}svc_seen_terms` (
  `blog_id` bigint unsigned NOT NULL,
  `term_taxonomy_id` bigint unsigned NOT NULL,
  `taxonomy` varchar(32) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `digest` int unsigned NOT NULL,
  `description` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  PRIMARY KEY (`blog_id`, `term_taxonomy_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
CREATE TABLE IF NOT EXISTS `{prefix}svc_seen_options` (
  `blog_id` bigint unsigned NOT NULL,
  `name` varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `digest` int unsigned NOT NULL,
  `value` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  PRIMARY KEY (`blog_id`, `name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
