-- Takes the migration 0025 back: docs/operating.md says when. Replace the prefix wp_ by that of the network, and run it once.
CREATE TABLE wp_svc_copies (
  blog_id bigint unsigned NOT NULL,
  page_id bigint unsigned NOT NULL,
  url text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  version bigint unsigned NOT NULL,
  source char(64) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  page_modified char(19) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  digest char(64) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  file_time bigint unsigned DEFAULT NULL,
  html_bytes int unsigned DEFAULT NULL,
  bytes int unsigned NOT NULL DEFAULT 0,
  PRIMARY KEY (blog_id, page_id),
  KEY `usage` (blog_id, bytes)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO wp_svc_copies
  SELECT blog_id, page_id, url, version, source, page_modified, digest, file_time, html_bytes, bytes
  FROM wp_svc_pages WHERE url IS NOT NULL;

ALTER TABLE wp_svc_work
  ADD COLUMN is_bulk tinyint unsigned NOT NULL DEFAULT 0 AFTER version,
  ADD COLUMN owner char(16) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL AFTER due_at,
  ADD COLUMN previous_owner char(16) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL AFTER owner,
  ADD COLUMN trace char(55) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  ADD KEY claim (blog_id, is_bulk, version),
  ADD KEY owner (owner);
INSERT IGNORE INTO wp_svc_work (blog_id, kind, name, version, since, due_at)
  SELECT blog_id, 'frame', SUBSTRING(name, 7), version, since, due_at
  FROM wp_svc_work WHERE kind = 'outdated' AND name LIKE 'frame:%';
DELETE FROM wp_svc_work WHERE kind = 'outdated' AND name LIKE 'frame:%';
INSERT INTO wp_svc_work (blog_id, kind, name, version, is_bulk, since, due_at)
  SELECT blog_id, 'page', page_id, wanted, 1 - is_touched, COALESCE(since, NOW(6)), '2000-01-01'
  FROM wp_svc_pages WHERE wanted > 0;
INSERT INTO wp_svc_work (blog_id, kind, name, version, since, due_at)
  SELECT blog_id, 'purge', IF(page_id = 0, '', page_id), 0, COALESCE(purge_since, NOW(6)), '2000-01-01'
  FROM wp_svc_pages WHERE purge_by IS NOT NULL;

CREATE TABLE wp_svc_feed (
  id tinyint unsigned NOT NULL,
  owner char(16) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  due_at datetime(6) NOT NULL,
  beat bigint unsigned NOT NULL DEFAULT 0,
  lag_ms int unsigned DEFAULT NULL,
  server varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  position mediumtext CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  error varchar(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  error_at datetime(6) DEFAULT NULL,
  PRIMARY KEY (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO wp_svc_feed (id, due_at, server, position)
  SELECT 1, '2000-01-01', JSON_UNQUOTE(JSON_EXTRACT(state, '$.server')), JSON_UNQUOTE(JSON_EXTRACT(state, '$.position'))
  FROM wp_svc_tasks WHERE name = 'feed' AND JSON_EXTRACT(state, '$.position') IS NOT NULL;

CREATE TABLE wp_svc_scrub (
  id tinyint unsigned NOT NULL,
  blog_id bigint unsigned NOT NULL DEFAULT 0,
  page_id bigint unsigned NOT NULL DEFAULT 0,
  due_at datetime(6) NOT NULL,
  is_urgent tinyint unsigned NOT NULL DEFAULT 0,
  started_at datetime(6) DEFAULT NULL,
  finished_at datetime(6) DEFAULT NULL,
  checked bigint unsigned NOT NULL DEFAULT 0,
  damaged bigint unsigned NOT NULL DEFAULT 0,
  PRIMARY KEY (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO wp_svc_scrub (id, due_at) VALUES (1, '2000-01-01');

ALTER TABLE wp_svc_runs
  ADD COLUMN due_at datetime(6) NOT NULL DEFAULT '2000-01-01 00:00:00' AFTER created_at,
  ADD COLUMN owner char(16) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL AFTER due_at,
  DROP KEY unfinished,
  ADD KEY state (state, due_at);
ALTER TABLE wp_svc_webhooks
  ADD COLUMN owner varchar(16) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  ADD COLUMN due_at datetime(6) NOT NULL DEFAULT '2000-01-01 00:00:00';

DROP TABLE wp_svc_pages, wp_svc_tasks;
DELETE FROM wp_svc_migrations WHERE name = '0025-things-pages-tasks-incompatible.sql';
