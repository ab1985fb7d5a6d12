-- Writes that were run once as a dry run and wait for their application, for an hour. `input`: what the endpoint was sent, compressed. `digest`: of what
-- the write changes.
CREATE TABLE IF NOT EXISTS `{prefix}svc_planned_writes` (
  `id` char(36) NOT NULL,
  `token_id` bigint unsigned NOT NULL,
  `blog_id` bigint unsigned NOT NULL,
  `endpoint` varchar(100) NOT NULL,
  `input` mediumblob NOT NULL,
  `digest` binary(32) NOT NULL,
  `created_at` datetime(3) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `token` (`token_id`, `created_at`),
  KEY `age` (`created_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
