-- What a single change does, for readers, such as "Push of frames". Null for a run of a description that drift compares.
ALTER TABLE `{prefix}svc_runs` ADD COLUMN `title` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL;

-- Whether the pages of the sites are built when the run has written to them.
ALTER TABLE `{prefix}svc_runs` ADD COLUMN `bake` tinyint unsigned NOT NULL DEFAULT 1;

-- What prevents the plan of a site, what may be a mistake in it, and pages that it changes (Brotli of JSON).
ALTER TABLE `{prefix}svc_run_sites` ADD COLUMN `notes` longblob DEFAULT NULL;
