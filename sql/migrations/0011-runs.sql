-- Runs: a description (Brotli of its JSON) that is planned or applied, and what became of each of its sites. The id of a run is the request id of its writes
-- in `svc_history`, so that it can be taken back. `description` is null for a run that replaces texts.
CREATE TABLE IF NOT EXISTS `{prefix}svc_runs` (
  `id` varchar(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `name` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `description` longblob DEFAULT NULL,
  `hash` binary(32) DEFAULT NULL,
  `state` varchar(12) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `message` text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `max_failures` int unsigned DEFAULT NULL,
  `user_id` bigint unsigned DEFAULT NULL,
  `token_id` bigint unsigned DEFAULT NULL,
  `label` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `created_at` datetime(3) NOT NULL,
  `due_at` datetime(6) NOT NULL DEFAULT '2000-01-01 00:00:00',
  PRIMARY KEY (`id`),
  KEY `state` (`state`, `due_at`),
  KEY `age` (`created_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- The plan of one site (Brotli of the JSON of its steps), and what became of it.
CREATE TABLE IF NOT EXISTS `{prefix}svc_run_sites` (
  `run_id` varchar(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `blog_id` bigint unsigned NOT NULL,
  `state` varchar(12) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `digest` binary(32) DEFAULT NULL,
  `steps` longblob DEFAULT NULL,
  `step_count` int unsigned NOT NULL DEFAULT 0,
  `page_count` int unsigned NOT NULL DEFAULT 0,
  `message` text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `applied_at` datetime(3) DEFAULT NULL,
  PRIMARY KEY (`run_id`, `blog_id`),
  KEY `site` (`blog_id`, `state`, `applied_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
