-- A table names its collation, so that a dump of a server with another default (utf8mb4_uca1400_ai_ci of MariaDB 11.5) loads on any server. The columns
-- name theirs already. Only the definition of a table changes, not its rows.
ALTER TABLE `{prefix}svc_hosts` DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
ALTER TABLE `{prefix}svc_sites` DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
ALTER TABLE `{prefix}svc_seen_sites` DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
ALTER TABLE `{prefix}svc_seen_posts` DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
ALTER TABLE `{prefix}svc_seen_terms` DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
ALTER TABLE `{prefix}svc_seen_options` DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
ALTER TABLE `{prefix}svc_migrations` DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
