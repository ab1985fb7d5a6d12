-- Since when each site has claimed each host in its own settings. The oldest claim has the host.
CREATE TABLE IF NOT EXISTS `{prefix}svc_hosts` (
  `host` varchar(270) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `blog_id` bigint unsigned NOT NULL,
  `since` datetime(6) NOT NULL,
  PRIMARY KEY (`host`, `blog_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
-- The paths at which static copies have been kept. A folder there without its marker file is not the one that was used.
CREATE TABLE IF NOT EXISTS `{prefix}svc_static_folders` (
  `digest` binary(32) NOT NULL,
  `path` text NOT NULL,
  PRIMARY KEY (`digest`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
