-- The response of each write with an Idempotency-Key, stored in the transaction of the write. `id`: of the key and the token. `request`: what was sent.
-- `answer`: compressed, and encrypted with the token and the key, because it may contain a new token. `is_final`: 0 until the effects of the write are in it.
CREATE TABLE IF NOT EXISTS `{prefix}svc_idempotency` (
  `id` binary(32) NOT NULL,
  `request` binary(32) NOT NULL,
  `answer` mediumblob DEFAULT NULL,
  `is_final` tinyint unsigned NOT NULL DEFAULT 0,
  `created_at` datetime(3) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `age` (`created_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
