-- The order in which changes became visible to readers. `position` of an entry is the number of its change: 0 for contents and for entries of before, null until a
-- reader asks for changes. An older program inserts entries without a number, and they are numbered as well.
ALTER TABLE `{prefix}svc_history` ADD COLUMN `position` bigint unsigned DEFAULT 0;
ALTER TABLE `{prefix}svc_history` ALTER COLUMN `position` SET DEFAULT NULL;
ALTER TABLE `{prefix}svc_history` ADD KEY `position` (`position`);
ALTER TABLE `{prefix}svc_history` ADD KEY `site_position` (`blog_id`, `position`);
-- `pruned` is the largest number of a deleted entry of the site. The row of blog id 0 is written, and so locked, while entries are numbered.
CREATE TABLE IF NOT EXISTS `{prefix}svc_changes` (
  `blog_id` bigint unsigned NOT NULL,
  `pruned` bigint unsigned NOT NULL DEFAULT 0,
  `numbered` bigint unsigned NOT NULL DEFAULT 0,
  PRIMARY KEY (`blog_id`),
  KEY `pruned` (`pruned`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
