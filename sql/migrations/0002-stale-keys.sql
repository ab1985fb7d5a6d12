-- Keys of WordPress's object cache that a write made stale: stored with the write, deleted once they are dropped there (OBJECT_CACHE_URL).
CREATE TABLE IF NOT EXISTS `{prefix}svc_stale_keys` (
  `id` bigint unsigned NOT NULL AUTO_INCREMENT,
  `cache_keys` mediumtext NOT NULL,
  `key_count` int unsigned NOT NULL,
  `created_at` datetime NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
