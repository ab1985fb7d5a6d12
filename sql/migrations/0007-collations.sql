-- The collation of the texts that had the server's default: it differs by server, and texts of two collations cannot be compared.
ALTER TABLE `{prefix}svc_tokens` DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
  MODIFY `label` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '';
ALTER TABLE `{prefix}svc_stale_keys` DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
  MODIFY `cache_keys` mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL;
ALTER TABLE `{prefix}svc_static_folders` DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
  MODIFY `path` text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL;
ALTER TABLE `{prefix}svc_work` DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
  MODIFY `error` varchar(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL;
ALTER TABLE `{prefix}svc_copies` DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
  MODIFY `url` text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL;
ALTER TABLE `{prefix}svc_feed` DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
  MODIFY `error` varchar(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL;
