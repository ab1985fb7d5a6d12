-- The network: one row. `identity` is also in the marker file of the folder of the static copies. `purges`: whether page caches are purged.
-- `restored_at`: when the database was last found to be older than that folder. `verify_at`: when all pages are to be verified once more.
CREATE TABLE IF NOT EXISTS `{prefix}svc_network` (
  `id` tinyint unsigned NOT NULL,
  `identity` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `purges` tinyint unsigned NOT NULL DEFAULT 1,
  `restored_at` datetime(6) DEFAULT NULL,
  `restored_because` varchar(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `verify_at` datetime(6) DEFAULT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT IGNORE INTO `{prefix}svc_network` (`id`, `identity`) VALUES (1, UUID());
-- Where the network's database is or was: addresses, servers and clusters. In a database at none of these names it was copied or moved.
CREATE TABLE IF NOT EXISTS `{prefix}svc_database_names` (
  `digest` binary(32) NOT NULL,
  `name` text NOT NULL,
  PRIMARY KEY (`digest`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
-- The number of the last publication. A site has the row of its id modulo the number of rows, so that few sites wait for each other.
CREATE TABLE IF NOT EXISTS `{prefix}svc_publications` (
  `bucket` tinyint unsigned NOT NULL,
  `number` bigint unsigned NOT NULL DEFAULT 0,
  PRIMARY KEY (`bucket`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT IGNORE INTO `{prefix}svc_publications` (`bucket`) VALUES
  (0), (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11), (12), (13), (14), (15);
-- The scrub of the static copies: one row. It goes through the copy records by site and page, and begins again after the last one.
CREATE TABLE IF NOT EXISTS `{prefix}svc_scrub` (
  `id` tinyint unsigned NOT NULL,
  `blog_id` bigint unsigned NOT NULL DEFAULT 0,
  `page_id` bigint unsigned NOT NULL DEFAULT 0,
  `due_at` datetime(6) NOT NULL,
  `is_urgent` tinyint unsigned NOT NULL DEFAULT 0,
  `started_at` datetime(6) DEFAULT NULL,
  `finished_at` datetime(6) DEFAULT NULL,
  `checked` bigint unsigned NOT NULL DEFAULT 0,
  `damaged` bigint unsigned NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT IGNORE INTO `{prefix}svc_scrub` (`id`, `due_at`) VALUES (1, '2000-01-01 00:00:00');
