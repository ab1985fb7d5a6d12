-- Which problems of frames block a site of the run. Runs of an older program, also those planned before, search none.
ALTER TABLE `{prefix}svc_runs` ADD COLUMN `refuses` varchar(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'nothing';
