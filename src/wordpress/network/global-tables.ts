/** The tables that a whole installation shares, under its base prefix (wpdb::tables, scope `global`). */
export type GlobalTables = {
  /** `$table_prefix` of wp-config.php. */
  readonly basePrefix: string
  readonly blogs: string
  /** One row per network. */
  readonly site: string
  readonly sitemeta: string
  readonly users: string
  readonly usermeta: string
}

/** The shared tables of the installation with this base prefix. */
export function globalTables(basePrefix: string): GlobalTables {
  return {
    basePrefix,
    blogs: `${basePrefix}blogs`,
    site: `${basePrefix}site`,
    sitemeta: `${basePrefix}sitemeta`,
    users: `${basePrefix}users`,
    usermeta: `${basePrefix}usermeta`,
  }
}
