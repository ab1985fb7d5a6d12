import type { TableDifference } from '../../wordpress/health/table-differences.ts'

/** Rows of the table: why a problem matters, and how an operator fixes it. */
const rowOf =
  <Severity extends string>(severity: Severity) =>
  (impact: string, fixHint: string) => ({
    severity,
    impact,
    fixHint,
  })
const error = rowOf('error')
const warning = rowOf('warning')
const info = rowOf('info')

const POLL_ONLY = 'Edits in WordPress reach static copies with the next poll (WATCH_SECONDS) only.'
const OTHER_POSITION =
  'Visitors do not see the item, and the items below it move to another position.'
const REMOVE_ITEM =
  'remove the item in wp-admin or with DELETE /site/{site}/menus/{menu}/items/{item}.'
const REBAKE_FRAMES = 'Send POST /frames/rebake with {"all": true}, or run "doctor --fix".'
const REBAKE_PAGES = 'Send POST /frames/rebake with {"pages": true}, or run "doctor --fix".'
const STATEMENT = 'The finding has the statement.'

/**
 * All codes of findings, stable between runs and releases; docs/findings.md is printed from this table. A check says what it found, and what is different
 * in its case. `{name}` is a value of the case.
 */
export const CHECKS = {
  // The network.
  database_unreachable: error(
    'All API requests fail, and so do pages without a static copy.',
    'Do what the finding says about the connection.',
  ),
  database_mode: error(
    'All API requests fail, and so do pages without a static copy.',
    'Remove the mode from the server, or set DB_BATCH=0.',
  ),
  network_missing: error(
    'The service finds no multisite network with this table prefix.',
    'Set TABLE_PREFIX to the value of $table_prefix in wp-config.php, and DATABASE_URL to the database of WordPress and a user with rights on it.',
  ),
  migrations_pending: error(
    'The service does not start before they have run.',
    'Run "wp-frames migrate".',
  ),
  migrations_newer: error(
    'This version does not start, and its commands do not run.',
    'Install the version that has applied these migrations, or a later one.',
  ),
  site_tables_missing: error(
    'WordPress shows its visitors an error, and this service treats the site as missing.',
    'Restore its tables from a backup, or delete the site in wp-admin.',
  ),
  host_conflict: warning(
    'The pages of site {site} at this host are not published, and visitors do not see them.',
    'Remove the host from the language settings of the site that should not use it (Polylang, Languages > Settings > URL modifications). The other site gets it within a minute.',
  ),
  static_folder_unwritable: error(
    'Pages are rendered for each visitor, and existing copies show outdated content.',
    'Correct what the message names. The service tries again by itself.',
  ),
  static_folder_missing: error(
    'Nothing is published, because the copies that visitors see may be elsewhere.',
    'Mount the folder, or set STATIC_DIR or STATIC_TARGET as in the service; the finding says more.',
  ),
  static_folder_foreign: error(
    'The service does not start with it, and nothing is published into it.',
    'Set STATIC_DIR or STATIC_TARGET to that of this network; the finding says more.',
  ),
  static_folder_unset: warning(
    'A process with these settings builds nothing, and the doctor cannot check the copies.',
    'Set STATIC_DIR or STATIC_TARGET as in the service. If there are to be no static copies any more, run "wp-frames network forget-copies".',
  ),
  variable_unknown: warning(
    'The setting has its default value.',
    'Correct the name, or remove the variable.',
  ),
  database_moved: error(
    'Nothing is published, no page cache is purged, and no request is passed to LEGACY_URL, because a copy would change its original.',
    'If the database was moved, run "wp-frames network moved". If it is a copy and the original stays in use, for example for staging, run "wp-frames network copied".',
  ),
  database_restored: info(
    'All pages were built again from what the database has now. Writes that were made after the restored state are lost, and the history does not know them.',
    'Make these writes again if they are missed. This finding disappears after {days} days.',
  ),
  purges_off: info(
    'A page cache keeps outdated pages until they expire. A copied database starts so.',
    'Check that PAGE_CACHE_PURGE and CACHE_PURGE name only the caches of this network, then run "wp-frames network purges on".',
  ),
  static_orphan: error(
    'Visitors see this copy even after the page was changed or deleted.',
    'Delete the {folder or object}, or run "doctor --fix".',
  ),
  static_temporary: info(
    'A process ended while it wrote them. Visitors do not see them; they waste disk space.',
    'Run "doctor --fix" to delete them.',
  ),
  feed_unusable: error(POLL_ONLY, 'Set what the finding names.'),
  feed_setting: warning(
    'The change feed misses some edits; they reach static copies with a later poll.',
    'Set what the finding names.',
  ),
  feed_down: warning(
    POLL_ONLY,
    'Start a process with the executor ("wp-frames serve", or "wp-frames serve executor") and this FEED_DATABASE_URL. If one is running, its log says why the feed fails. If it stays behind, check that the binlog includes the database of WordPress (binlog_do_db, binlog_ignore_db).',
  ),
  token_expiring: warning(
    'Afterwards, the requests of its clients are refused with 401.',
    'Issue another token with "wp-frames token issue", give it to the clients, and revoke this one when "wp-frames token list" shows that it is not used any more.',
  ),
  // Webhooks, of the network and of a site.
  webhook_failing: warning(
    'Its receiver learns of changes later. After the last try, the webhook is disabled.',
    'Correct the receiver. The message is tried again by itself at {at} GMT; PATCH {path} with {"enabled": true} tries it at once.',
  ),
  webhook_disabled: warning(
    'Its receiver learns of no change.',
    'Correct the receiver, try it with POST {path}/test, and enable the webhook with PATCH {path} and {"enabled": true}: it goes on where it was. If it is not needed any more, delete it.',
  ),
  // A site as a whole.
  check_failed: error(
    'Other problems of the site are unknown, and requests for it may fail in the same way.',
    'Repair what the error names, then run "wp-frames doctor --site {site}".',
  ),
  // Tables. What differs depends on the table: `describeDifference`.
  rights_missing: error(
    'Requests that need it fail.',
    'Run the statement that the finding has: it grants the right.',
  ),
  table_missing: error(
    'WordPress and this service fail when they need it.',
    'Restore the table from a backup, or grant the user in DATABASE_URL the rights on it.',
  ),
  engine_not_transactional: error(
    'Failed writes are not rolled back, and concurrent writes can overwrite each other.',
    STATEMENT,
  ),
  column_missing: error('Statements that need the column fail.', STATEMENT),
  auto_increment_missing: warning('New rows get the id 0, from WordPress too.', STATEMENT),
  unique_key_missing: warning(
    'Two rows may have the same value, and each program may use another one.',
    STATEMENT,
  ),
  key_missing: warning(
    'Reads of WordPress and of this service go through the whole table.',
    STATEMENT,
  ),
  column_required: info(
    'New rows get the value that WordPress stores: 0, an empty text or an empty date.',
    STATEMENT,
  ),
  column_short: warning('Writes with a longer text are refused.', STATEMENT),
  charset_narrow: warning(
    'Writes with a character that the table cannot store are rejected, or changed.',
    STATEMENT,
  ),
  charset_misread: error('Other programs than WordPress read the texts wrongly.', STATEMENT),
  // The history.
  history_content_missing: error(
    'These states cannot be restored.',
    'Compare with a backup of the database. Find out who has access to the database.',
  ),
  // Languages.
  polylang_unlisted: warning(
    'Pages and menus are shown without languages, as WordPress shows them without Polylang. If WordPress loads Polylang, translated pages are at wrong addresses.',
    'Set the option svc_polylang of the site or of the network: "always" if WordPress loads Polylang, "never" if it does not.',
  ),
  polylang_unloaded: warning(
    'If WordPress does not load Polylang, such as because its files are missing, pages and menus are shown in languages that WordPress does not show.',
    'Save the permalinks in wp-admin, and examine the site again. If WordPress does not load Polylang, set the option svc_polylang of the site to "never".',
  ),
  browser_language_ignored: warning(
    'Copies and the front show the home page in the default language to everybody, because a copy does not depend on the visitor.',
    'Switch "Detect browser language" off in Languages > Settings, or let the web server redirect the home page.',
  ),
  // The settings of a site.
  home_differs: warning(
    'Pages are published at the host of the home. WordPress serves them there only if a plugin maps the host to the site.',
    'Set both to the same address, such as with "wp option update home" and "wp option update siteurl".',
  ),
  search_engines_invited: info(
    'The front sends "X-Robots-Tag: noindex, nofollow". A web server or a store that serves the copies itself does not.',
    'Add <meta name="robots" data-op-bind="content:site.robots"> to the head of the frames of pages.',
  ),
  // Menus.
  option_unreadable: error(
    'WordPress treats it as empty, and its next write to the option discards the contents. This service does not write to it.',
    'Restore the option from a backup before saving anything in wp-admin.',
  ),
  location_dangling: warning(
    'Visitors see no menu there, and wp-admin does not show why.',
    'Assign another menu there, or run "doctor --fix" to remove the assignment.',
  ),
  location_maps_differ: warning(
    "Polylang's map takes precedence in what visitors see; wp-admin, and the site without Polylang, show the other.",
    'Assign the right menu again, or run "doctor --fix" to use the one that visitors see.',
  ),
  menu_count_wrong: warning(
    'wp-admin shows the wrong number of items.',
    'Save the menu in wp-admin, or run "doctor --fix".',
  ),
  item_target_missing: warning(OTHER_POSITION, `Restore the target, or ${REMOVE_ITEM}`),
  item_target_not_public: warning(
    'Visitors see the item, but they cannot read what it links.',
    `Publish the target, or ${REMOVE_ITEM}`,
  ),
  item_not_published: info(
    OTHER_POSITION,
    `Save the menu in wp-admin, which publishes the item, or ${REMOVE_ITEM}`,
  ),
  item_parent_missing: warning(
    'WordPress shows the item at the end of the menu, and only if the theme shows all levels.',
    'Set its parent in wp-admin or with PATCH /menus/{menu}/items/{item}.',
  ),
  item_parents_circular: warning(
    'None of them is reachable from the top level: WordPress shows them at the end of the menu, or not at all.',
    'Move one of them to the top level in wp-admin or with PATCH /menus/{menu}/items/{item}.',
  ),
  item_without_menu: warning(
    'It is invisible to visitors and in wp-admin; an interrupted deletion left it behind.',
    'Run "doctor --fix" to delete it.',
  ),
  item_hidden_by_plugin: warning(
    'Frames and static copies print all items of a menu, to everybody.',
    'Remove these items from menus that frames print, or move them to a menu of their own.',
  ),
  // Frames.
  registry_unreadable: error(
    'No frame of the site can be read or written.',
    'Restore the option from a backup. If there is none, delete the option: the next write stores a new registry with the slugs in the records.',
  ),
  registry_missing: warning(
    'Each read takes the slugs from the records, which is slow. A frame whose record has no slug gets its id as slug.',
    'Write any frame, or run "doctor --fix", which stores a new registry.',
  ),
  slug_shared: error(
    'Addresses and inserts with this slug find only one of them.',
    'Give each of the others a unique slug with PATCH /frames/{id}.',
  ),
  record_missing: error(
    'It is shown as an empty frame, because its markup is lost.',
    'Send its markup again with PUT /frames/{slug}, restore the option svc_frame_{id} from a backup, or delete the frame with DELETE /frames/{slug}.',
  ),
  record_unlisted: error(
    'The frame cannot be read, changed or embedded.',
    'Run "doctor --fix" to add it to the registry, and delete it with DELETE /frames/{id} if you do not need it.',
  ),
  record_unreadable: error(
    'The frame prints nothing, and the API cannot read it.',
    'Copy what is left of the markup in the option svc_frame_{id} and send it again with PUT /frames/{slug}, or restore the option from a backup.',
  ),
  record_older: info(
    'It works, but its author and dates may be unknown, and lists are slower.',
    'The next write of the frame converts it; "doctor --fix" does so now.',
  ),
  record_slug_differs: warning(
    'The registry takes precedence; if it had to be rebuilt, the frame would get the other slug.',
    'Write the frame, or run "doctor --fix" to correct the record.',
  ),
  meta_missing: warning(
    'Lists of frames have to read its complete markup.',
    'Write the frame, or run "doctor --fix" to create the meta.',
  ),
  meta_differs: error(
    'Pages keep showing the earlier markup, and the references to embedded frames are outdated.',
    'Write the frame, or run "doctor --fix" to create the meta from the record.',
  ),
  leftover_option: warning('It wastes space.', 'Run "doctor --fix" to delete it.'),
  reference_missing: warning(
    'The insert prints nothing.',
    'Create the frame, or remove the insert.',
  ),
  markup_problem: warning(
    'Visitors do not see what the author meant to print there.',
    'Correct the markup. "wp-frames check" finds such mistakes in files before they are sent.',
  ),
  frame_cycle: warning(
    'An insert that would repeat an outer frame prints nothing.',
    'Remove one of the inserts.',
  ),
  frame_unused: info(
    'It is baked whenever its data changes, but no visitor sees it.',
    'Assign it to a page, or delete it with DELETE /frames/{slug}.',
  ),
  page_frame_missing: warning(
    'This service does not show the page to visitors.',
    'Assign another frame with POST /frames/{ref}/assign and {"page": {page}}, or delete its post meta _svc_frame.',
  ),
  page_gone: info('The frame counts as used.', 'Run "doctor --fix" to delete the assignment.'),
  // Baked and static copies.
  copy_missing: warning(
    'The first visitor of each of its pages waits until the frame is baked.',
    REBAKE_FRAMES,
  ),
  copy_stale: warning(
    'The frame was written without a bake, or its data was changed outside this service. Static copies of its pages may show outdated content.',
    REBAKE_FRAMES,
  ),
  static_stray: error('Visitors see a page there that should not be public.', REBAKE_PAGES),
  static_lost: warning('The page is rendered for each visitor.', REBAKE_PAGES),
  static_damaged: error(
    'Visitors may get these files with status 200: the front renders a page whose files are damaged, but cannot tell a copy that was replaced by another.',
    REBAKE_PAGES,
  ),
  static_stale: warning('Visitors see outdated content.', REBAKE_PAGES),
  // Pending work.
  work_failing: warning(
    'Visitors see these pages as they were before the last writes.',
    'Correct what the reason names; the log of the service has the details. The build is tried again by itself, at the latest after five minutes.',
  ),
  page_exposed: error(
    'The pages are private, deleted or moved, and are served with 200.',
    'Correct what the reason names. The removal is tried again by itself, at the latest after five minutes.',
  ),
  purge_failing: warning(
    'Visitors may get these pages as they were before, for an hour at most.',
    'Correct what the reason names. The purge is tried again by itself, at the latest after five minutes.',
  ),
  work_stuck: error(
    'Visitors see the pages as they were before the last writes.',
    'Start a process with the executor ("wp-frames serve", or "wp-frames serve executor") on this database and STATIC_DIR. If one is running, its log and GET /readyz say what it lacks, for example a writable folder. Purges need a process with CACHE_PURGE, and "wp-frames network purges on".',
  ),
} satisfies Readonly<Record<TableDifference['kind'], unknown>> & Readonly<Record<string, unknown>>

export type CheckCode = keyof typeof CHECKS
