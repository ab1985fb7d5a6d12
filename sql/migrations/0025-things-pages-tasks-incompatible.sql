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
