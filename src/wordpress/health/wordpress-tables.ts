import type { GlobalTables, SiteTables } from '../network/site.ts'

/**
 * A table as WordPress 7.1 makes it (wp_get_db_schema, wp-admin/includes/schema.php). Keys that the service does not use are left out: older
 * versions of WordPress have fewer of them.
 */
export type TableDescription = {
  /** The definition of each column. */
  readonly columns: Readonly<Record<string, string>>
  /** The columns of the primary key. A key of one column is the id of a row, which the server assigns (`AUTO_INCREMENT`). */
  readonly primary: readonly string[]
  /** Columns by the name of the key. */
  readonly unique: Readonly<Record<string, readonly string[]>>
  /** Columns by the name of the key. */
  readonly keys: Readonly<Record<string, readonly string[]>>
}

const ID = 'bigint(20) unsigned NOT NULL AUTO_INCREMENT'
const REFERENCE = 'bigint(20) unsigned NOT NULL DEFAULT 0'
const DATE = "datetime NOT NULL DEFAULT '0000-00-00 00:00:00'"
const FLAG = 'tinyint(2) NOT NULL DEFAULT 0'

const metaTable = (id: string, owner: string): TableDescription => ({
  columns: {
    [id]: ID,
    [owner]: REFERENCE,
    meta_key: 'varchar(255) DEFAULT NULL',
    meta_value: 'longtext DEFAULT NULL',
  },
  primary: [id],
  unique: {},
  keys: { [owner]: [owner], meta_key: ['meta_key'] },
})

/** The tables of a site that the service uses. */
export const SITE_TABLES: Readonly<Record<keyof SiteTables, TableDescription>> = {
  options: {
    columns: {
      option_id: ID,
      option_name: "varchar(191) NOT NULL DEFAULT ''",
      option_value: 'longtext NOT NULL',
      autoload: "varchar(20) NOT NULL DEFAULT 'yes'",
    },
    primary: ['option_id'],
    unique: { option_name: ['option_name'] },
    keys: {},
  },
  posts: {
    columns: {
      ID,
      post_author: REFERENCE,
      post_date: DATE,
      post_date_gmt: DATE,
      post_content: 'longtext NOT NULL',
      post_title: 'text NOT NULL',
      post_excerpt: 'text NOT NULL',
      post_status: "varchar(20) NOT NULL DEFAULT 'publish'",
      comment_status: "varchar(20) NOT NULL DEFAULT 'open'",
      ping_status: "varchar(20) NOT NULL DEFAULT 'open'",
      post_password: "varchar(255) NOT NULL DEFAULT ''",
      post_name: "varchar(200) NOT NULL DEFAULT ''",
      to_ping: 'text NOT NULL',
      pinged: 'text NOT NULL',
      post_modified: DATE,
      post_modified_gmt: DATE,
      post_content_filtered: 'longtext NOT NULL',
      post_parent: REFERENCE,
      guid: "varchar(255) NOT NULL DEFAULT ''",
      menu_order: 'int(11) NOT NULL DEFAULT 0',
      post_type: "varchar(20) NOT NULL DEFAULT 'post'",
      post_mime_type: "varchar(100) NOT NULL DEFAULT ''",
      comment_count: 'bigint(20) NOT NULL DEFAULT 0',
    },
    primary: ['ID'],
    unique: {},
    keys: {
      post_name: ['post_name'],
      type_status_date: ['post_type', 'post_status', 'post_date', 'ID'],
      post_parent: ['post_parent'],
    },
  },
  postmeta: metaTable('meta_id', 'post_id'),
  terms: {
    columns: {
      term_id: ID,
      name: "varchar(200) NOT NULL DEFAULT ''",
      slug: "varchar(200) NOT NULL DEFAULT ''",
      term_group: 'bigint(10) NOT NULL DEFAULT 0',
    },
    primary: ['term_id'],
    unique: {},
    keys: { slug: ['slug'], name: ['name'] },
  },
  termmeta: metaTable('meta_id', 'term_id'),
  termTaxonomy: {
    columns: {
      term_taxonomy_id: ID,
      term_id: REFERENCE,
      taxonomy: "varchar(32) NOT NULL DEFAULT ''",
      description: 'longtext NOT NULL',
      parent: REFERENCE,
      count: 'bigint(20) NOT NULL DEFAULT 0',
    },
    primary: ['term_taxonomy_id'],
    unique: { term_id_taxonomy: ['term_id', 'taxonomy'] },
    keys: { taxonomy: ['taxonomy'] },
  },
  termRelationships: {
    columns: {
      object_id: REFERENCE,
      term_taxonomy_id: REFERENCE,
      term_order: 'int(11) NOT NULL DEFAULT 0',
    },
    primary: ['object_id', 'term_taxonomy_id'],
    unique: {},
    keys: { term_taxonomy_id: ['term_taxonomy_id'] },
  },
}

/** The tables that all sites share. The service reads them only, and these columns. */
export const NETWORK_TABLES: Readonly<
  Record<Exclude<keyof GlobalTables, 'basePrefix'>, TableDescription>
> = {
  blogs: {
    columns: {
      blog_id: ID,
      site_id: REFERENCE,
      domain: "varchar(200) NOT NULL DEFAULT ''",
      path: "varchar(100) NOT NULL DEFAULT ''",
      archived: FLAG,
      spam: FLAG,
      deleted: FLAG,
    },
    primary: ['blog_id'],
    unique: {},
    keys: { domain: ['domain'] },
  },
  site: {
    columns: {
      id: ID,
      domain: "varchar(200) NOT NULL DEFAULT ''",
      path: "varchar(100) NOT NULL DEFAULT ''",
    },
    primary: ['id'],
    unique: {},
    keys: {},
  },
  sitemeta: metaTable('meta_id', 'site_id'),
  users: {
    columns: {
      ID,
      user_login: "varchar(60) NOT NULL DEFAULT ''",
      user_email: "varchar(100) NOT NULL DEFAULT ''",
      display_name: "varchar(250) NOT NULL DEFAULT ''",
    },
    primary: ['ID'],
    unique: {},
    keys: { user_login_key: ['user_login'] },
  },
  usermeta: metaTable('umeta_id', 'user_id'),
}

const LENGTHS: Readonly<Record<string, number>> = {
  tinytext: 255,
  text: 65_535,
  mediumtext: 16_777_215,
  longtext: 4_294_967_295,
}

/** The length of a text column by its definition, in characters; of the types of `text`, in bytes. Undefined for other types. */
export function lengthOf(definition: string): number | undefined {
  const [, type = '', length] = /^(\w+)(?:\((\d+)\))?/.exec(definition) ?? []
  return type === 'varchar' ? Number(length) : LENGTHS[type]
}
