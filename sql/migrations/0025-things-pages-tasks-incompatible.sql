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

-- One row for each page that has a static copy, or is to be published. `wanted` is the version at which it was asked for last, 0 if nothing is to be done;
-- `due_at` is null then. `is_touched`: the page itself was written or edited. `code` and `error` say why the last try failed. The copy: `url` is null without
-- one; `version` is that of the site of which it was built; sizes, digest and time of the file are null until its files are written.
-- `purge_by` names the page caches that are to purge the page by tag, `*` for all of them; each time it is asked for has the next number in `purges`. Page 0 is the whole site.
CREATE TABLE IF NOT EXISTS `{prefix}svc_pages` (
  `blog_id` bigint unsigned NOT NULL,
  `page_id` bigint unsigned NOT NULL,
  `wanted` bigint unsigned NOT NULL DEFAULT 0,
  `is_touched` tinyint unsigned NOT NULL DEFAULT 0,
  `since` datetime(6) DEFAULT NULL,
  `tries` int unsigned NOT NULL DEFAULT 0,
  `due_at` datetime(6) DEFAULT NULL,
  `code` varchar(20) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `error` varchar(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `url` text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `version` bigint unsigned NOT NULL DEFAULT 0,
  `source` char(64) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `page_modified` char(19) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `digest` char(64) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `file_time` bigint unsigned DEFAULT NULL,
  `html_bytes` int unsigned DEFAULT NULL,
  `bytes` int unsigned NOT NULL DEFAULT 0,
  `purge_by` varchar(255) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `purges` int unsigned NOT NULL DEFAULT 0,
  `purge_since` datetime(6) DEFAULT NULL,
  PRIMARY KEY (`blog_id`, `page_id`),
  KEY `due` (`due_at`, `blog_id`),
  KEY `next` (`blog_id`, `is_touched`, `wanted`),
  KEY `usage` (`blog_id`, `bytes`),
  KEY `purge` (`purge_by`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
-- The table is there also if this migration runs again.
CREATE TABLE IF NOT EXISTS `{prefix}svc_copies` LIKE `{prefix}svc_pages`;
INSERT IGNORE INTO `{prefix}svc_pages` (`blog_id`, `page_id`, `url`, `version`, `source`, `page_modified`, `digest`, `file_time`, `html_bytes`, `bytes`)
  SELECT `blog_id`, `page_id`, `url`, `version`, `source`, `page_modified`, `digest`, `file_time`, `html_bytes`, `bytes` FROM `{prefix}svc_copies`;
DROP TABLE IF EXISTS `{prefix}svc_copies`;
INSERT INTO `{prefix}svc_pages` (`blog_id`, `page_id`, `wanted`, `is_touched`, `since`, `due_at`)
  SELECT `blog_id`, `name`, `version`, 1, `since`, '2000-01-01 00:00:00' FROM `{prefix}svc_work` WHERE `kind` = 'page'
  ON DUPLICATE KEY UPDATE `wanted` = VALUES(`wanted`), `is_touched` = 1, `since` = VALUES(`since`), `due_at` = VALUES(`due_at`);
INSERT INTO `{prefix}svc_pages` (`blog_id`, `page_id`, `purge_by`, `purges`, `purge_since`)
  SELECT `blog_id`, IF(`name` = '', 0, SUBSTRING_INDEX(`name`, ' ', 1)), '*', 1, `since` FROM `{prefix}svc_work` WHERE `kind` = 'purge'
  ON DUPLICATE KEY UPDATE `purge_by` = VALUES(`purge_by`), `purges` = VALUES(`purges`), `purge_since` = VALUES(`purge_since`);
DELETE FROM `{prefix}svc_work` WHERE `kind` IN ('page', 'purge');
ALTER TABLE `{prefix}svc_work` DROP KEY `claim`;
ALTER TABLE `{prefix}svc_work` DROP KEY `owner`;
ALTER TABLE `{prefix}svc_work` DROP COLUMN `owner`;
ALTER TABLE `{prefix}svc_work` DROP COLUMN `previous_owner`;
ALTER TABLE `{prefix}svc_work` DROP COLUMN `is_bulk`;
ALTER TABLE `{prefix}svc_work` DROP COLUMN `trace`;
