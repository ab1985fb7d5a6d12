-- The trace of what recorded the row last, as `traceparent`: the spans of what is built continue it.
ALTER TABLE `{prefix}svc_work` ADD COLUMN `trace` char(55) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL;
