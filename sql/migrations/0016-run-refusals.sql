-- Which problems of frames block a site of the run. An older program searches none, as before.
ALTER TABLE `{prefix}svc_runs` ADD COLUMN `refuses` varchar(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'errors';
