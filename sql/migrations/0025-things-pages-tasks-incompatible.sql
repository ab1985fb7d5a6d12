-- What one process does for all. `owner` has the task until `due_at`; without an owner, `due_at` is when the task is due. `former` has lost the task and may not
-- have noticed: it is fenced before anything is read. `tries` are the failures in a row, `error` is the last one. `state` is JSON of the task.
CREATE TABLE IF NOT EXISTS `{prefix}svc_tasks` (
  `name` varchar(100) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `owner` char(16) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `former` char(16) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `due_at` datetime(6) NOT NULL,
  `tries` int unsigned NOT NULL DEFAULT 0,
  `error` varchar(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `state` mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  PRIMARY KEY (`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- The feed goes on at its position. The table is there also if this migration runs again.
CREATE TABLE IF NOT EXISTS `{prefix}svc_feed` (
  `id` tinyint unsigned NOT NULL,
  `server` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `position` mediumtext CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT IGNORE INTO `{prefix}svc_tasks` (`name`, `due_at`, `state`)
  SELECT 'feed', '2000-01-01 00:00:00', JSON_OBJECT('server', `server`, 'position', `position`)
  FROM `{prefix}svc_feed` WHERE `id` = 1 AND `server` IS NOT NULL AND `position` IS NOT NULL;
DROP TABLE IF EXISTS `{prefix}svc_feed`;

-- A process that continues a run or sends to a webhook has its task.
ALTER TABLE `{prefix}svc_runs` DROP KEY `state`;
ALTER TABLE `{prefix}svc_runs` DROP COLUMN `owner`;
ALTER TABLE `{prefix}svc_runs` DROP COLUMN `due_at`;
ALTER TABLE `{prefix}svc_runs` ADD KEY `unfinished` (`state`, `created_at`);
ALTER TABLE `{prefix}svc_webhooks` DROP COLUMN `owner`;
ALTER TABLE `{prefix}svc_webhooks` DROP COLUMN `due_at`;

-- The scrub goes on where it is, too.
CREATE TABLE IF NOT EXISTS `{prefix}svc_scrub` (
  `id` tinyint unsigned NOT NULL,
  `blog_id` bigint unsigned NOT NULL DEFAULT 0,
  `page_id` bigint unsigned NOT NULL DEFAULT 0,
  `is_urgent` tinyint unsigned NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT IGNORE INTO `{prefix}svc_tasks` (`name`, `due_at`, `state`)
  SELECT 'scrub', '2000-01-01 00:00:00',
    CONCAT('{"blogId":', `blog_id`, ',"page":', `page_id`, ',"isUrgent":', IF(`is_urgent` = 1, 'true', 'false'), '}')
  FROM `{prefix}svc_scrub` WHERE `id` = 1;
DROP TABLE IF EXISTS `{prefix}svc_scrub`;
