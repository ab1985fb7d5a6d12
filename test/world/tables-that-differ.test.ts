import { describe, expect, it } from 'vitest'
import { examineNetwork } from '../../src/network/doctor/examine.ts'
import { TableSurvey } from '../../src/wordpress/health/survey-tables.ts'
import { eventually } from '../support/eventually.ts'
import { setOption, useNetwork } from '../support/network.ts'
import { recordLog } from '../support/recorded-log.ts'
import { openTestService } from '../support/service.ts'

/**
 * Tables of WordPress with every difference that the service knows.
 * Right: the tables of WordPress 7.1 (wp_get_db_schema, wp-admin/includes/schema.php). Without a difference nothing is found.
 */
describe('tables that differ from those of WordPress', async () => {
  const network = await useNetwork()
  const { db, globals } = network
  const service = await openTestService(network)
  const examine = async () => examineNetwork({ ...service, now: () => new Date() })
  const ofTables =
    /^(?:charset_misread|engine_not_transactional|table_|column_|auto_increment_|unique_key_|key_)/
  const shop = (await network.site(2)).tables
  const docs = (await network.site(3)).tables
  const blank = (await network.site(4)).tables
  const id = 'bigint unsigned NOT NULL'
  const rows = [
    [2, shop.options, 'DROP KEY option_name', 'unique_key_missing', 'error', 'option_name'],
    [2, shop.options, `MODIFY option_id ${id}`, 'auto_increment_missing', 'error', 'option_id'],
    [2, shop.options, 'ADD site int NOT NULL', 'column_required', 'info', 'site'],
    [4, blank.postmeta, 'ADD shape point NOT NULL', 'column_required', 'error', 'shape'],
    [
      2,
      shop.posts,
      'MODIFY post_mime_type varchar(50) NOT NULL',
      'column_short',
      'warning',
      'post_mime_type',
    ],
    [
      2,
      shop.posts,
      'DROP KEY type_status_date',
      'key_missing',
      'warning',
      'post_type, post_status',
    ],
    [
      2,
      shop.postmeta,
      `MODIFY meta_id ${id}, DROP PRIMARY KEY`,
      'auto_increment_missing',
      'warning',
      'meta_id',
    ],
    [2, shop.terms, `MODIFY term_id ${id}`, 'auto_increment_missing', 'error', 'term_id'],
    [2, shop.termmeta, 'DROP meta_value', 'column_missing', 'error', 'meta_value'],
    [
      2,
      shop.termTaxonomy,
      'DROP KEY term_id_taxonomy',
      'unique_key_missing',
      'warning',
      'term_id, taxonomy',
    ],
    [2, shop.termRelationships, 'ENGINE=MyISAM', 'engine_not_transactional', 'error', 'MyISAM'],
    [3, docs.options, 'MODIFY option_value longblob NOT NULL', undefined, 'error', ''],
    [
      3,
      docs.options,
      'MODIFY option_value longtext CHARACTER SET latin1 NOT NULL',
      'charset_misread',
      'error',
      'option_value',
    ],
    [3, docs.termmeta, 'CONVERT TO CHARACTER SET latin1', 'charset_narrow', 'warning', 'latin1'],
    [3, docs.postmeta, 'CONVERT TO CHARACTER SET utf8mb3', 'charset_narrow', 'warning', 'utf8mb3'],
    [
      null,
      globals.usermeta,
      `MODIFY umeta_id ${id}`,
      'auto_increment_missing',
      'warning',
      'umeta_id',
    ],
    [null, globals.users, 'DROP KEY user_login_key', 'key_missing', 'warning', 'user_login'],
  ] as const

  it('are found, each with its table and column, and nothing is found before', async () => {
    expect((await examine()).filter(({ check }) => ofTables.test(check))).toEqual([])
    await db.sql(docs.postmeta).whereRaw('LENGTH(meta_value) <> CHAR_LENGTH(meta_value)').delete()
    // MySQL adds no column of this type to rows.
    await db.sql(blank.postmeta).delete()
    await setOption(network, 3, 'greeting', 'Grüße')
    for (const [, table, change] of rows) await db.sql.raw(`ALTER TABLE ?? ${change}`, [table])
    const findings = await examine()
    for (const [site, table, , check, severity, named] of rows) {
      if (check === undefined) continue
      const found = findings.filter(
        (one) => one.site === site && one.check === check && one.message.includes(`"${table}"`),
      )
      expect(found.map(({ message }) => message).join(), `${table} ${check}`).toContain(named)
      expect(
        found.some((one) => one.severity === severity && one.message.includes(named)),
        `${table} ${check}`,
      ).toBe(true)
      for (const { fixHint } of found) expect(fixHint).toContain(table)
    }
  })

  it('are in the log once after the start, if writes are refused', async () => {
    const { log, lines } = recordLog('warn')
    const survey = new TableSurvey({ db, globals, log })
    await eventually(() => expect(lines).toHaveLength(1))
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ sites: [2, 3, 4], count: 3 })
    expect(lines[0]).toContain(shop.options)
    await survey.stop()
  })
})
