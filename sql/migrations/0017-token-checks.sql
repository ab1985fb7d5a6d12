-- For which sites the old endpoint accepts a token that is known only by asking it (scope `asked` in svc_token_scopes), when it last did, and the user that
-- the token acts as there. An older program reads the scope as `read`, so it lets such a token read these sites only.
CREATE TABLE IF NOT EXISTS `{prefix}svc_token_checks` (
  `token_id` bigint unsigned NOT NULL,
  `blog_id` bigint unsigned NOT NULL,
  `user_id` bigint unsigned NOT NULL,
  `checked_at` datetime NOT NULL,
  PRIMARY KEY (`token_id`, `blog_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
