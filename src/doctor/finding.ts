import type { Database } from '../db/database.ts'
import type { Executor } from '../executor/executor.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'

/** What the doctor works with. */
export type DoctorServices = {
  readonly db: Database
  readonly globals: GlobalTables
  readonly executor: Executor
  /** Folder of the static copies; undefined where they are turned off. */
  readonly staticDir: string | undefined
  readonly now: () => Date
}

/**
 * `error`: visitors or callers get something wrong, or the service can't work. `warning`: something is not as it was meant to be.
 * `info`: worth knowing.
 */
export type Severity = 'error' | 'warning' | 'info'

/** Something that is not as it should be. */
export type Problem = {
  /** A word for the kind of fault, the same at each run. */
  readonly check: CheckCode
  readonly severity: Severity
  readonly what: string
  /** Why it matters. */
  readonly why: string
  /** How to mend it. */
  readonly mend: string
  /** How the doctor mends it; missing where that takes somebody who knows what was meant. Symptoms may share one. */
  readonly remedy?: Fix
}

export type Fix = {
  /** What it does, as a sentence. */
  readonly does: string
  /** Does it, unless the fault is gone by now. */
  apply(services: DoctorServices): Promise<void>
}

/** A symptom and the site that has it, by blog id; null for one of the whole network. */
export type Finding = Problem & { readonly site: number | null }

export type CheckCode =
  // Of the network.
  | 'database_unreachable'
  | 'network_missing'
  | 'migrations_pending'
  | 'site_tables_missing'
  | 'host_conflict'
  | 'static_folder_unwritable'
  | 'static_folder_missing'
  | 'static_orphan'
  // Of tables.
  | 'rights_missing'
  | 'table_missing'
  | 'engine_not_transactional'
  | 'charset_narrow'
  // Of menus.
  | 'option_unreadable'
  | 'location_dangling'
  | 'location_maps_differ'
  | 'menu_count_wrong'
  | 'item_target_missing'
  | 'item_parent_missing'
  | 'item_parents_circular'
  | 'item_without_menu'
  // Of frames.
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
  | 'frame_cycle'
  | 'frame_unused'
  | 'page_frame_missing'
  | 'page_gone'
  // Of what is derived from frames.
  | 'copy_missing'
  | 'copy_stale'
  | 'static_stray'
  | 'static_lost'
  | 'static_stale'
  | 'static_temporary'

/** What one transaction of a remedy mends: locks are held shortly, and what is done stays done. */
export const FIX_BATCH_SIZE = 50

/** Names or ids in a sentence, the first ones of many. */
export function formatList(values: readonly (string | number)[], most = 10): string {
  const shown = values.slice(0, most).join(', ')
  const more = values.length - most
  return more > 0 ? `${shown} and ${more} more` : shown
}
