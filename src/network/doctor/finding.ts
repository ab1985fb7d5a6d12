import type { Executor } from '../../build/executor/executor.ts'
import type { CopyStore } from '../../build/publishing/copy-store.ts'
import type { Database } from '../../db/database.ts'
import type { TableState } from '../../wordpress/health/read-tables.ts'
import type { TableDifference } from '../../wordpress/health/table-differences.ts'
import type { Right } from '../../wordpress/health/tables-and-rights.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'

/** The services that checks and fixes need. */
export type DoctorServices = {
  readonly db: Database
  readonly globals: GlobalTables
  readonly executor: Executor
  /** The static copies; undefined if they are turned off. */
  readonly copies: CopyStore | undefined
  /** Sentences about misspelt variables [none]. */
  readonly suspectVariables?: readonly string[]
  /** Account that reads the binlog; undefined without a change feed. */
  readonly feedUrl?: string | undefined
  readonly now: () => Date
  /** The rights of the database user on all tables, if they were read for several sites [read for each site]. */
  readonly commonRights?: ReadonlySet<Right>
  /** The states of the tables of several sites, by name, if they were read for all of them [read for each site]. */
  readonly tableStates?: ReadonlyMap<string, TableState> | undefined
}

/**
 * `error`: visitors or API clients get wrong results, or the service cannot work. `warning`: the data is inconsistent. `info`: worth
 * knowing.
 */
type Severity = (typeof SEVERITIES)[number]

/** The most severe first. */
export const SEVERITIES = ['error', 'warning', 'info'] as const

/** An inconsistency that a check found. */
export type Problem = {
  /** The kind of problem; stable between runs and releases. */
  readonly check: CheckCode
  readonly severity: Severity
  /** What the check found, as a sentence. */
  readonly message: string
  /** Why it matters. */
  readonly impact: string
  /** How an operator fixes it. */
  readonly fixHint: string
  /** How the doctor fixes it; undefined when only a person can decide what is right. Several problems may share one fix. */
  readonly fix?: Fix
  /** The other checks of the site, or of the network, would fail too [false]. */
  readonly isFatal?: boolean
}

export type Fix = {
  /** What the fix does, as a sentence. */
  readonly summary: string
  /** Applies the fix; does nothing if the problem no longer exists. */
  apply(services: DoctorServices): Promise<void>
}

/** A problem and the blog id of its site; null for a problem of the network. */
export type Finding = Problem & { readonly site: number | null }

export type CheckCode =
  // Network.
  | 'database_unreachable'
  | 'database_mode'
  | 'network_missing'
  | 'migrations_pending'
  | 'migrations_newer'
  | 'site_tables_missing'
  | 'host_conflict'
  | 'static_folder_unwritable'
  | 'static_folder_missing'
  | 'static_folder_foreign'
  | 'static_folder_unset'
  | 'variable_unknown'
  | 'database_moved'
  | 'database_restored'
  | 'purges_off'
  | 'static_orphan'
  | 'feed_unusable'
  | 'feed_setting'
  | 'feed_down'
  | 'token_expiring'
  // Webhooks, of the network and of a site.
  | 'webhook_failing'
  | 'webhook_disabled'
  // A site as a whole.
  | 'check_failed'
  // Tables.
  | 'rights_missing'
  | 'table_missing'
  | TableDifference['kind']
  // The history.
  | 'history_content_missing'
  // Languages.
  | 'polylang_unlisted'
  | 'polylang_unloaded'
  | 'browser_language_ignored'
  // The settings of a site.
  | 'home_differs'
  | 'search_engines_invited'
  // Menus.
  | 'option_unreadable'
  | 'location_dangling'
  | 'location_maps_differ'
  | 'menu_count_wrong'
  | 'item_target_missing'
  | 'item_target_not_public'
  | 'item_not_published'
  | 'item_parent_missing'
  | 'item_parents_circular'
  | 'item_without_menu'
  | 'item_hidden_by_plugin'
  // Frames.
  | 'registry_unreadable'
  | 'registry_missing'
  | 'slug_shared'
  | 'record_missing'
  | 'record_unlisted'
  | 'record_unreadable'
  | 'record_older'
  | 'record_slug_differs'
  | 'meta_missing'
  | 'meta_differs'
  | 'leftover_option'
  | 'reference_missing'
  | 'markup_problem'
  | 'frame_cycle'
  | 'frame_unused'
  | 'page_frame_missing'
  | 'page_gone'
  // Baked and static copies.
  | 'copy_missing'
  | 'copy_stale'
  | 'static_stray'
  | 'static_lost'
  | 'static_damaged'
  | 'static_stale'
  | 'static_temporary'
  // Pending work.
  | 'work_failing'
  | 'page_exposed'
  | 'purge_failing'
  | 'work_stuck'

/** How many things one transaction of a fix changes: small batches keep locks short, and a later failure does not undo them. */
export const FIX_BATCH_SIZE = 50

/** Names or ids for a sentence: the first ones and the number of the others. */
export function formatList(values: readonly (string | number)[], most = 10): string {
  const shown = values.slice(0, most).join(', ')
  const more = values.length - most
  return more > 0 ? `${shown} and ${more} more` : shown
}
