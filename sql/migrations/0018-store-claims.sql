-- The claims that write static copies to a store, each with a row of its own (`location` is empty) and one for each object that it may write. A claim that has
-- lost its lease is fenced: its objects are looked at again until no request of it can arrive any more. `is_settled`: a later claim has written the object.
CREATE TABLE IF NOT EXISTS `{prefix}svc_store_claims` (
  `claim_id` char(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `digest` binary(32) NOT NULL,
  `blog_id` bigint unsigned NOT NULL,
  `location` varchar(1024) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `fenced_at` datetime(6) DEFAULT NULL,
  `is_settled` tinyint unsigned NOT NULL DEFAULT 0,
  `due_at` datetime(6) DEFAULT NULL,
  PRIMARY KEY (`claim_id`, `digest`),
  KEY `object` (`digest`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
