-- The process that works on a run, as in `svc_feed` and `svc_work`. An older program ignores it: it compares `due_at`, which each renewal changes.
ALTER TABLE `{prefix}svc_runs` ADD COLUMN `owner` char(16) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL;
