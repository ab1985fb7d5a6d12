-- What tokens are limited to. A token without a row may do everything that its user may. `sites`: blog ids separated by commas; null for all.
CREATE TABLE IF NOT EXISTS `{prefix}svc_token_scopes` (
  `token_id` bigint unsigned NOT NULL,
  `scope` varchar(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `sites` text CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  PRIMARY KEY (`token_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
-- How many authenticated requests of each token were refused for lack of rights, and how many failed otherwise.
CREATE TABLE IF NOT EXISTS `{prefix}svc_token_failures` (
  `token_id` bigint unsigned NOT NULL,
  `refused` bigint unsigned NOT NULL DEFAULT 0,
  `failed` bigint unsigned NOT NULL DEFAULT 0,
  PRIMARY KEY (`token_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
