import type { TableDifference } from '../../wordpress/health/table-differences.ts'

/**
 * Rows of the table: a title in the language of editors, what visitors see or why it matters, and what a person does. These texts name no request, because
 * the console shows them.
 * @param fixedBy who can do that: an editor here or in WordPress, or somebody with access to the server, the database or the settings
 */
const rowsFor = <By extends 'editor' | 'operator'>(fixedBy: By) => {
  const rowOf =
    <Severity extends string>(severity: Severity) =>
    (title: string, impact: string, fixHint: string) => ({
      severity,
      title,
      impact,
      fixHint,
      fixedBy,
    })
  return { error: rowOf('error'), warning: rowOf('warning'), info: rowOf('info') }
}
const editor = rowsFor('editor')
const operator = rowsFor('operator')

const POLL_ONLY = 'Edits in WordPress reach static copies with the next poll (WATCH_SECONDS) only.'
const OTHER_POSITION =
  'Visitors do not see the item, and the items below it move to another position.'
const REMOVE_ITEM = 'remove the item from the menu.'
const REBAKE_FRAMES = 'Build the frames again, or run "doctor --fix".'
const REBAKE_PAGES = 'Build the pages again, or run "doctor --fix".'
const STATEMENT = 'The finding has the statement.'

/**
 * All codes of findings, stable between runs and releases; a table of docs/operating.md is printed from this one. A check says what it found, and what is different
 * in its case. `{name}` is a value of the case.
 */
export const CHECKS = {
  // The network.
  database_unreachable: operator.error(
    'The database does not answer',
    'All API requests fail, and so do pages without a static copy.',
    'Do what the finding says about the connection.',
  ),
  database_mode: operator.error(
    'The database has a mode that the service cannot work with',
    'All API requests fail, and so do pages without a static copy.',
    'Remove the mode from the server, or set DB_BATCH=0.',
  ),
  network_missing: operator.error(
    'There is no network in this database',
    'The service finds no multisite network with this table prefix.',
    'Set TABLE_PREFIX to the value of $table_prefix in wp-config.php, and DATABASE_URL to the database of WordPress and a user with rights on it.',
  ),
  migrations_pending: operator.error(
    'The tables of the service are of an earlier version',
    'The service does not start before they have run.',
    'Run "wp-frames migrate".',
  ),
  migrations_newer: operator.error(
    'The tables of the service are of a later version',
    'This version does not start, and its commands do not run.',
    'Install the version that has applied these migrations, or a later one.',
  ),
  site_tables_missing: operator.error(
    'The tables of a site are gone',
    'WordPress shows its visitors an error, and this service treats the site as missing.',
    'Restore its tables from a backup, or delete the site in wp-admin.',
  ),
  host_conflict: operator.warning(
    'Two sites have the same host',
    'The pages of site {site} at this host are not published, and visitors do not see them.',
    'Remove the host from the language settings of the site that should not use it (Polylang, Languages > Settings > URL modifications). The other site gets it within a minute.',
  ),
  static_folder_unwritable: operator.error(
    'Pages cannot be published',
    'Pages are rendered for each visitor, and existing copies show outdated content.',
    'Correct what the message names. The service tries again by itself.',
  ),
  static_folder_missing: operator.error(
    'The folder of the published pages is not there',
    'Nothing is published, because the copies that visitors see may be elsewhere.',
    'Mount the folder, or set STATIC_DIR or STATIC_TARGET as in the service; the finding says more.',
  ),
  static_folder_foreign: operator.error(
    'The folder of the published pages belongs to another network',
    'The service does not start with it, and nothing is published into it.',
    'Set STATIC_DIR or STATIC_TARGET to that of this network; the finding says more.',
  ),
  static_folder_unset: operator.warning(
    'It is not set where pages are published',
    'A process with these settings builds nothing, and the doctor cannot check the copies.',
    'Set STATIC_DIR or STATIC_TARGET as in the service. If there are to be no static copies any more, run "wp-frames network forget-copies".',
  ),
  variable_unknown: operator.warning(
    'A setting has an unknown name',
    'The setting has its default value.',
    'Correct the name, or remove the variable.',
  ),
  database_moved: operator.error(
    'The database was moved or copied',
    'Nothing is published, no page cache is purged, and no request is passed to LEGACY_URL, because a copy would change its original.',
    'If the database was moved, run "wp-frames network moved". If it is a copy and the original stays in use, for example for staging, run "wp-frames network copied".',
  ),
  database_restored: operator.info(
    'The database was restored from a backup',
    'All pages were built again from what the database has now. Writes that were made after the restored state are lost, and the history does not know them.',
    'Make these writes again if they are missed. This finding disappears after {days} days.',
  ),
  purges_off: operator.info(
    'Page caches are not purged',
    'A page cache keeps outdated pages until they expire. A copied database starts so.',
    'Check that PAGE_CACHE_PURGE and CACHE_PURGE name only the caches of this network, then run "wp-frames network purges on".',
  ),
  static_orphan: operator.error(
    'A copy that belongs to no page is still published',
    'Visitors see this copy even after the page was changed or deleted.',
    'Delete the {folder or object}, or run "doctor --fix".',
  ),
  static_temporary: operator.info(
    'Unfinished files are left',
    'A process ended while it wrote them. Visitors do not see them; they waste disk space.',
    'Run "doctor --fix" to delete them.',
  ),
  feed_unusable: operator.error(
    'The change feed cannot be used',
    POLL_ONLY,
    'Set what the finding names.',
  ),
  feed_setting: operator.warning(
    'The change feed misses edits',
    'The change feed misses some edits; they reach static copies with a later poll.',
    'Set what the finding names.',
  ),
  feed_down: operator.warning(
    'The change feed does not run',
    POLL_ONLY,
    'Start a process with the executor ("wp-frames serve", or "wp-frames serve executor") and this FEED_DATABASE_URL. If one is running, its log says why the feed fails. If it stays behind, check that the binlog includes the database of WordPress (binlog_do_db, binlog_ignore_db).',
  ),
  token_expiring: operator.warning(
    'A token expires soon',
    'Afterwards, the requests of its clients are refused.',
    'Issue another token with "wp-frames token issue", give it to the clients, and revoke this one when "wp-frames token list" shows that it is not used any more.',
  ),
  // Webhooks, of the network and of a site.
  webhook_failing: operator.warning(
    'A webhook is not received',
    'Its receiver learns of changes later. After the last try, the webhook is disabled.',
    'Correct the receiver. The message is tried again by itself at {at} GMT, and at once when the webhook is enabled again.',
  ),
  webhook_disabled: operator.warning(
    'A webhook was disabled',
    'Its receiver learns of no change.',
    'Correct the receiver, send it a test message, and enable the webhook again: it goes on where it was. If it is not needed any more, delete it.',
  ),
  // A site as a whole.
  check_failed: operator.error(
    'Something could not be checked',
    'Other problems are unknown, and requests may fail in the same way.',
    'Repair what the error names, then run the doctor again.',
  ),
  // Tables. What differs depends on the table: `describeDifference`.
  rights_missing: operator.error(
    'The service lacks a right on a table',
    'Requests that need it fail.',
    'Run the statement that the finding has: it grants the right.',
  ),
  table_missing: operator.error(
    'A table is missing',
    'WordPress and this service fail when they need it.',
    'Restore the table from a backup, or grant the user in DATABASE_URL the rights on it.',
  ),
  engine_not_transactional: operator.error(
    'A table does not keep writes together',
    'Failed writes are not rolled back, and concurrent writes can overwrite each other.',
    STATEMENT,
  ),
  column_missing: operator.error(
    'A table lacks a column',
    'Statements that need the column fail.',
    STATEMENT,
  ),
  auto_increment_missing: operator.warning(
    'A table gives no ids to new rows',
    'New rows get the id 0, from WordPress too.',
    STATEMENT,
  ),
  unique_key_missing: operator.warning(
    'A table may have rows twice',
    'Two rows may have the same value, and each program may use another one.',
    STATEMENT,
  ),
  key_missing: operator.warning(
    'A table is slow to read',
    'Reads of WordPress and of this service go through the whole table.',
    STATEMENT,
  ),
  column_required: operator.info(
    'A table has a column that WordPress does not know',
    'New rows get the value that WordPress stores: 0, an empty text or an empty date.',
    STATEMENT,
  ),
  column_short: operator.warning(
    'A table cannot store long texts',
    'Writes with a longer text are refused.',
    STATEMENT,
  ),
  charset_narrow: operator.warning(
    'A table cannot store all characters',
    'Writes with a character that the table cannot store are rejected, or changed.',
    STATEMENT,
  ),
  charset_misread: operator.error(
    'Texts of a table are stored in the wrong characters',
    'Other programs than WordPress read the texts wrongly.',
    STATEMENT,
  ),
  // The history.
  history_content_missing: operator.error(
    'The history has lost former states',
    'These states cannot be restored.',
    'Compare with a backup of the database. Find out who has access to the database.',
  ),
  // Languages.
  polylang_unlisted: operator.warning(
    'It is not known whether Polylang is used',
    'Pages and menus are shown without languages, as WordPress shows them without Polylang. If WordPress loads Polylang, translated pages are at wrong addresses.',
    'Set the option svc_polylang of the site or of the network: "always" if WordPress loads Polylang, "never" if it does not.',
  ),
  polylang_unloaded: operator.warning(
    'Polylang may not be loaded',
    'If WordPress does not load Polylang, such as because its files are missing, pages and menus are shown in languages that WordPress does not show.',
    'Save the permalinks in wp-admin, and examine the site again. If WordPress does not load Polylang, set the option svc_polylang of the site to "never".',
  ),
  browser_language_ignored: editor.warning(
    'Visitors are not led to their own language',
    'Copies and the front show the home page in the default language to everybody, because a copy does not depend on the visitor.',
    'Switch "Detect browser language" off in Languages > Settings, or let the web server redirect the home page.',
  ),
  // The settings of a site.
  home_differs: editor.warning(
    'The site has two addresses',
    'Pages are published at the host of the home. WordPress serves them there only if a plugin maps the host to the site.',
    'Set both to the same address, such as with "wp option update home" and "wp option update siteurl".',
  ),
  search_engines_invited: editor.info(
    'Search engines may list this site',
    'The site asks not to be listed. The front says so with each page, but a web server or a store that serves the copies itself does not.',
    'Add <meta name="robots" data-op-bind="content:site.robots"> to the head of the frames of pages.',
  ),
  // Menus.
  option_unreadable: operator.error(
    'A setting of WordPress is damaged',
    'WordPress treats it as empty, and its next write to the option discards the contents. This service does not write to it.',
    'Restore the option from a backup before saving anything in wp-admin.',
  ),
  location_dangling: editor.warning(
    'A location shows a menu that is gone',
    'Visitors see no menu there, and wp-admin does not show why.',
    'Assign another menu there, or run "doctor --fix" to remove the assignment.',
  ),
  location_maps_differ: editor.warning(
    'WordPress and Polylang show different menus',
    "Polylang's map takes precedence in what visitors see; wp-admin, and the site without Polylang, show the other.",
    'Assign the right menu again, or run "doctor --fix" to use the one that visitors see.',
  ),
  menu_count_wrong: editor.warning(
    'A menu has a wrong number of items',
    'Visitors see no difference, but wp-admin shows the wrong number of items.',
    'Save the menu in wp-admin, or run "doctor --fix".',
  ),
  menu_too_large: editor.error(
    'A menu has more text than is read',
    'Pages that show the menu keep outdated content, and the menu cannot be edited here.',
    'Remove items from the menu, or shorten their descriptions and addresses, in wp-admin.',
  ),
  item_target_missing: editor.warning(
    'A menu item leads to something that is gone',
    OTHER_POSITION,
    `Restore the target, or ${REMOVE_ITEM}`,
  ),
  item_target_not_public: editor.warning(
    'A menu item leads to something that is not public',
    'Visitors see the item, but they cannot read what it links.',
    `Publish the target, or ${REMOVE_ITEM}`,
  ),
  item_not_published: editor.info(
    'A menu item is a draft',
    OTHER_POSITION,
    `Save the menu in wp-admin, which publishes the item, or ${REMOVE_ITEM}`,
  ),
  item_parent_missing: editor.warning(
    'A menu item is below one of another menu',
    'Visitors see the item at the end of the menu, or not at all.',
    'Move the item below another one of its menu, or to the top level.',
  ),
  item_parents_circular: editor.warning(
    'Menu items are below one another',
    'Visitors see them at the end of the menu, or not at all: none of them is below the top level.',
    'Move one of them to the top level.',
  ),
  item_without_menu: editor.warning(
    'A menu item is in no menu',
    'Visitors do not see it, and neither does wp-admin: an interrupted deletion has left it.',
    'Run "doctor --fix" to delete it.',
  ),
  item_hidden_by_plugin: editor.warning(
    'Menu items are shown to everybody',
    'All visitors see these items, because frames print all items of a menu.',
    'Remove these items from menus that frames print, or move them to a menu of their own.',
  ),
  // Frames.
  registry_unreadable: operator.error(
    'The list of frames is damaged',
    'No frame of the site can be read or written.',
    'Restore the option from a backup. If there is none, delete the option: the next write stores a new registry with the slugs in the records.',
  ),
  registry_missing: editor.warning(
    'The list of frames is missing',
    'Each read takes the slugs from the records, which is slow. A frame whose record has no slug gets its id as slug.',
    'Write any frame, or run "doctor --fix", which stores a new registry.',
  ),
  slug_shared: editor.error(
    'Frames have the same name',
    'Visitors see only one of them where the name is used.',
    'Give each of the others another name.',
  ),
  record_missing: editor.error(
    'The markup of a frame is lost',
    'Visitors see nothing of it.',
    'Write its markup again, delete the frame, or restore the option svc_frame_{id} from a backup.',
  ),
  record_unlisted: editor.error(
    'A frame is missing in the list of frames',
    'Visitors see nothing of it, and it cannot be edited.',
    'Run "doctor --fix" to add it to the registry, and delete it if you do not need it.',
  ),
  record_unreadable: editor.error(
    'A frame is damaged',
    'Visitors see nothing of it, and it cannot be edited.',
    'Copy what is left of the markup in the option svc_frame_{id} and write the frame with it, or restore the option from a backup.',
  ),
  record_older: editor.info(
    'A frame is stored in an older form',
    'Visitors see no difference, but its author and dates may be unknown, and lists are slower.',
    'The next write of the frame converts it; "doctor --fix" does so now.',
  ),
  record_slug_differs: editor.warning(
    'A frame is stored with two names',
    'Visitors see no difference. If the registry had to be made again, the frame would get the other slug.',
    'Write the frame, or run "doctor --fix" to correct the record.',
  ),
  meta_missing: editor.warning(
    'A frame lacks its summary',
    'Visitors see no difference, but lists of frames have to read its complete markup.',
    'Write the frame, or run "doctor --fix" to create the meta.',
  ),
  meta_differs: editor.error(
    'A frame was changed, but its pages were not',
    'Visitors keep seeing the earlier markup, and the references to embedded frames are outdated.',
    'Write the frame, or run "doctor --fix" to create the meta from the record.',
  ),
  leftover_option: editor.warning(
    'Something of a deleted frame is left',
    'Visitors see no difference; it wastes space.',
    'Run "doctor --fix" to delete it.',
  ),
  reference_missing: editor.warning(
    'A frame embeds one that does not exist',
    'Visitors see nothing where the insert is.',
    'Create the frame, or remove the insert.',
  ),
  markup_problem: editor.warning(
    'There is a mistake in the markup',
    'Visitors do not see what the author meant to print there.',
    'Correct the markup. "wp-frames check" finds such mistakes in files before they are sent.',
  ),
  frame_cycle: editor.warning(
    'Frames embed one another',
    'Visitors see nothing where an insert would repeat an outer frame.',
    'Remove one of the inserts.',
  ),
  frame_unused: editor.info(
    'A frame is not used',
    'No visitor sees it, but it is built whenever its data changes.',
    'Assign it to a page, embed it in another frame, or delete it.',
  ),
  page_frame_missing: editor.warning(
    'The frame of a page does not exist',
    'Visitors do not get the page from this service.',
    'Assign another frame to the page, or unassign this one.',
  ),
  page_gone: editor.info(
    'A frame is assigned to a page that is gone',
    'Visitors see no difference, but the frame counts as used.',
    'Run "doctor --fix" to delete the assignment.',
  ),
  // Baked and static copies.
  copy_missing: editor.warning(
    'A frame is not built',
    'The first visitor of each of its pages waits until the frame is built.',
    REBAKE_FRAMES,
  ),
  copy_stale: editor.warning(
    'A frame is built from former data',
    'Visitors may see outdated content: the frame was written without being built, or its data was changed outside this service.',
    REBAKE_FRAMES,
  ),
  static_stray: editor.error(
    'A page is still published that should not be',
    'Visitors see a page there that should not be public.',
    REBAKE_PAGES,
  ),
  static_lost: editor.warning(
    'A published page is missing',
    'Visitors wait longer, because the page is built for each of them.',
    REBAKE_PAGES,
  ),
  static_damaged: editor.error(
    'A published page was changed by something else',
    'Visitors may get something else than the page: the front renders a page whose files are damaged, but cannot tell a copy that was replaced by another.',
    REBAKE_PAGES,
  ),
  static_stale: editor.warning(
    'A published page is out of date',
    'Visitors see outdated content.',
    REBAKE_PAGES,
  ),
  // Pending work.
  work_failing: operator.warning(
    'Pages cannot be built',
    'Visitors see these pages as they were before the last writes.',
    'Correct what the reason names; the log of the service has the details. The build is tried again by itself, at the latest after five minutes.',
  ),
  page_exposed: operator.error(
    'A page that is not public any more is still published',
    'Visitors still get pages that are private, deleted or moved.',
    'Correct what the reason names. The removal is tried again by itself, at the latest after five minutes.',
  ),
  purge_failing: operator.warning(
    'A page cache still has former pages',
    'Visitors may get these pages as they were before, for an hour at most.',
    'Correct what the reason names. The purge is tried again by itself, at the latest after five minutes.',
  ),
  work_stuck: operator.error(
    'Nothing is built',
    'Visitors see the pages as they were before the last writes.',
    'Start a process with the executor ("wp-frames serve", or "wp-frames serve executor") on this database and STATIC_DIR. If one is running, its log says what it lacks, for example a writable folder. Purges need a process with CACHE_PURGE, and "wp-frames network purges on".',
  ),
} satisfies Readonly<Record<TableDifference['kind'], unknown>> & Readonly<Record<string, unknown>>

export type CheckCode = keyof typeof CHECKS
