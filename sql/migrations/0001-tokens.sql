-- API tokens (decisions, section 3). Only the SHA-256 of a token is kept.
CREATE TABLE IF NOT EXISTS `{prefix}svc_tokens` (
  `id` bigint unsigned NOT NULL AUTO_INCREMENT,
  `user_id` bigint unsigned NOT NULL,
  `hash` binary(32) NOT NULL,
  `label` varchar(200) NOT NULL DEFAULT '',
  `created_at` datetime NOT NULL,
  `last_used_at` datetime DEFAULT NULL,
  `expires_at` datetime DEFAULT NULL,
  `revoked_at` datetime DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `hash` (`hash`),
  KEY `user_id` (`user_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
