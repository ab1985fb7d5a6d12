import { beforeAll, describe, expect, it } from 'vitest'
import { MAX_ROWS_READ } from '../../../src/changes/feed/change-listener.ts'
import { MAX_POSTS_PER_SITE } from '../../../src/changes/feed/changed-sites.ts'
import { use } from '../../support/use.ts'
import { startFeed, startFeedServer } from './feed-fixture.ts'

const server = await use(startFeedServer())
const feed = await use(startFeed(server))

const POST =
  "(post_title, post_content, post_excerpt, to_ping, pinged, post_content_filtered, post_type) VALUES ('a', '', '', '', '', ''"

const FRAME = 'svc_frame_0123456789abcdef'
const meta = (key: string) =>
  `INSERT INTO wp_2_postmeta (post_id, meta_key, meta_value) VALUES (12, '${key}', 'v')`
const options = (...names: string[]) =>
  `REPLACE INTO wp_2_options (option_name, option_value) VALUES ${names.map((name) => `('${name}', '1')`)}`
const networkOption = (key: string) =>
  `INSERT INTO wp_sitemeta (site_id, meta_key, meta_value) VALUES (1, '${key}', '1')`
const setSite = (column: string) => `UPDATE wp_blogs SET ${column} WHERE blog_id = 3`
const setDescription = (column: string) =>
  `UPDATE wp_2_options SET ${column} WHERE option_name = 'blogdescription'`
/** A table of options with a row, which the site does not have. */
const createOptions = (name: string) =>
  `CREATE TABLE ${name} (option_name text, option_value text); INSERT INTO ${name} VALUES ('x', '')`

describe('a change feed', () => {
  it.each<[string, string, object | string]>([
    ['a post', "UPDATE wp_2_posts SET post_content = 'new' WHERE ID = 10", { 2: { posts: [10] } }],
    [
      'a post of the first site',
      "UPDATE wp_posts SET post_title = 'é🎉' WHERE ID = 2",
      { 1: { posts: [2] } },
    ],
    ['a deleted post', 'DELETE FROM wp_3_posts WHERE ID = 2', { 3: { posts: [2] } }],
    [
      'an inserted post',
      `INSERT INTO wp_4_posts ${POST.replace('(post', '(ID, post').replace('VALUES (', 'VALUES (900, ')}, 'page')`,
      { 4: { posts: [900] } },
    ],
    ['another id', 'UPDATE wp_4_posts SET ID = 901 WHERE ID = 900', { 4: { posts: [900, 901] } }],
    ['a revision', `INSERT INTO wp_2_posts ${POST}, 'revision')`, {}],
    [
      'a revision that becomes a page',
      "UPDATE wp_2_posts SET ID = 950, post_type = 'page' WHERE post_type = 'revision' ORDER BY ID DESC LIMIT 1",
      { 2: { posts: expect.arrayContaining([950]) } },
    ],
    ['post meta', meta('_svc_frame'), { 2: { posts: [12] } }],
    ['meta of a menu item', meta('_menu_item_url'), { 2: { posts: [12] } }],
    ['meta that no page shows', meta('wp_sync_update'), {}],
    [
      'meta that becomes meta of a page',
      "UPDATE wp_2_postmeta SET meta_key = '_svc_frame' WHERE meta_key = 'wp_sync_update'",
      { 2: { posts: [12] } },
    ],
    [
      'terms of a post',
      'INSERT INTO wp_2_term_relationships VALUES (13, 999, 0)',
      { 2: { posts: [13] } },
    ],
    ['an option', setDescription("option_value = 'x'"), { 2: { options: ['blogdescription'] } }],
    [
      'a renamed option',
      setDescription("option_name = 'theme_mods_b'"),
      { 2: { options: ['blogdescription', 'theme_mods_b'] } },
    ],
    ['an option of a plugin', options('plugin_settings'), {}],
    ['a transient', options('_transient_x', '_site_transient_timeout_x', 'cron'), {}],
    ['a baked copy', options(`${FRAME}_baked`, 'svc_frames_version', 'svc_menu_names'), {}],
    ['a frame', options(FRAME), { 2: { options: [FRAME] } }],
    ['a term', "UPDATE wp_2_terms SET name = CONCAT(name, '!')", { 2: { terms: true } }],
    ['a taxonomy', 'UPDATE wp_2_term_taxonomy SET count = count + 1', { 2: { terms: true } }],
    ['a site that is closed', setSite('archived = 1'), { 3: { network: true } }],
    ['the date of the last post of a site', setSite("last_updated = '2031-01-01'"), {}],
    ['an option of the network', networkOption('main_site'), 'everything'],
    ['another option of the network', networkOption('_site_transient_x'), {}],
    [
      'comments',
      "INSERT INTO wp_2_comments (comment_author, comment_content) VALUES ('a', 'b')",
      {},
    ],
    ['the tables of the service', 'REPLACE INTO wp_svc_sites VALUES (9, 1)', {}],
    ['tables of another prefix', createOptions('wpx_2_options'), {}],
    [
      'another database',
      `CREATE DATABASE other; USE other; ${createOptions('wp_options')}; UPDATE wp_options SET option_value = 'wp_2_posts'`,
      {},
    ],
    ['a truncated table', 'TRUNCATE wp_5_postmeta', { 5: { posts: 'all' } }],
    ['an altered table', 'ALTER TABLE wp_5_options ADD COLUMN more int', { 5: { options: 'all' } }],
    [
      'a row of an altered table',
      "UPDATE wp_5_options SET option_value = 'y' WHERE option_name = 'blogname'",
      { 5: { options: ['blogname'] } },
    ],
    ['a new site', 'CREATE TABLE wp_10000_posts (ID int PRIMARY KEY)', { 10000: { posts: 'all' } }],
    [
      'rows of two sites in one transaction',
      "START TRANSACTION; UPDATE wp_2_posts SET post_title = 'z' WHERE ID IN (10, 16); UPDATE wp_3_options SET option_value = 'z' WHERE option_name = 'blogname'; COMMIT",
      { 2: { posts: [10, 16] }, 3: { options: ['blogname'] } },
    ],
    [
      'a transaction that is rolled back',
      "START TRANSACTION; UPDATE wp_2_posts SET post_title = 'never'; ROLLBACK",
      {},
    ],
  ])('reports %s', async (_, script, expected) => {
    expect(await feed.changesOf(script)).toEqual(expected)
  })

  it('reads compressed events of MariaDB, and reports everything for those of MySQL', async () => {
    if (!server.isMariaDb) {
      const compressed = 'SET SESSION binlog_transaction_compression = ON'
      const edit = `${compressed}; UPDATE wp_2_posts SET post_title = 'zstd' WHERE ID = 10`
      expect(await feed.changesOf(edit)).toBe('everything')
      return
    }
    await server.run('SET GLOBAL log_bin_compress = ON')
    const changes = await feed.changesOf(
      `UPDATE wp_2_posts SET post_content = '${'x'.repeat(5000)}' WHERE ID = 10`,
    )
    await server.run('SET GLOBAL log_bin_compress = OFF')
    expect(changes).toEqual({ 2: { posts: [10] } })
  })

  it('reads events that describe their columns', async () => {
    const changes = await feed.changesOf(
      "SET GLOBAL binlog_row_metadata = FULL; UPDATE wp_2_posts SET post_title = 'full' WHERE ID = 10; SET GLOBAL binlog_row_metadata = DEFAULT",
    )
    expect(changes).toEqual({ 2: { posts: [10] } })
  })

  it('reports all rows if an event does not contain the names', async () => {
    const changes = await feed.changesOf(
      `SET SESSION binlog_row_image = MINIMAL; UPDATE wp_2_posts SET post_title = 'min' WHERE ID = 10;
      UPDATE wp_3_options SET option_value = 'min' WHERE option_name = 'blogname'`,
    )
    expect(changes).toEqual({ 2: { posts: [10] }, 3: { options: 'all' } })
  })

  it('reports a huge transaction as a whole, without its rows', async () => {
    await server.run(
      `INSERT INTO wp_6_posts ${POST.replace('VALUES (', 'SELECT ')}, 'page'
        FROM wp_options a, wp_options b, wp_options c LIMIT 20000`,
    )
    const changes = await feed.changesOf("UPDATE wp_6_posts SET post_title = 'b'")
    expect(changes).toEqual({ 6: { posts: 'all' } })
    const few = await feed.changesOf(
      `UPDATE wp_6_posts SET post_title = 'c' ORDER BY ID DESC LIMIT ${MAX_POSTS_PER_SITE}`,
    )
    expect(few).toEqual({ 6: { posts: expect.any(Array) } })
  })

  it('reads a limited number of rows that no page shows', async () => {
    const insert = (rows: number) =>
      feed.changesOf(
        `INSERT INTO wp_6_postmeta (post_id, meta_key, meta_value)
          SELECT 1, 'views', 'a' FROM wp_options a, wp_options b, wp_options c LIMIT ${rows}`,
      )
    expect(await insert(MAX_ROWS_READ)).toEqual({})
    expect(await insert(MAX_ROWS_READ)).toEqual({})
    expect(await insert(MAX_ROWS_READ + 1)).toEqual({ 6: { posts: 'all' } })
  })
})

describe('a change feed with a connection that writes statements', () => {
  const FUNCTION =
    "CREATE FUNCTION fix_posts() RETURNS int DETERMINISTIC MODIFIES SQL DATA BEGIN UPDATE wp_2_posts SET post_title = 'f' WHERE ID = 10; RETURN 1; END"
  beforeAll(async () => void (await feed.changesOf(FUNCTION)))

  it.each<[string, string]>([
    ['MIXED', "UPDATE wp_2_posts SET post_title = 'm' WHERE ID = 10"],
    ['STATEMENT', "/* a comment */ update wp_2_posts set post_title = 's' where ID = 10"],
    ['STATEMENT', "BEGIN; UPDATE wp_2_posts SET post_title = 'b' WHERE ID = 10; COMMIT"],
    ['STATEMENT', 'USE other; DELETE FROM `{database}` . `wp_2_termmeta` WHERE meta_id = 0'],
    ['STATEMENT', 'INSERT INTO wp_svc_sites VALUES (9, 1) ON DUPLICATE KEY UPDATE version = 1'],
    ['STATEMENT', 'DO fix_posts()'],
  ])('compares everything once, and goes on: %s, %s', async (format, sql) => {
    const database = new URL(server.url).pathname.slice(1)
    const changes = await feed.changesOf(
      `SET SESSION binlog_format = ${format}; ${sql.replace('{database}', database)}`,
    )
    expect(changes).toBe('everything')
    expect(
      await feed.changesOf(
        "UPDATE wp_2_posts SET post_title = CONCAT(post_title, 'r') WHERE ID = 10",
      ),
    ).toEqual({ 2: { posts: [10] } })
  })

  it('reports nothing for statements of another database', async () => {
    const changes = await feed.changesOf(
      "USE other; SET SESSION binlog_format = STATEMENT; UPDATE wp_options SET option_value = 'wp_3_posts'",
    )
    expect(changes).toEqual({})
  })
})
