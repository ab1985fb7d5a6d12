import { describe, expect, it } from 'vitest'
import { examineSite } from '../../src/network/doctor/examine.ts'
import { startApi } from '../support/api.ts'
import { setOption, useNetwork } from '../support/network.ts'
import { openTestService } from '../support/service.ts'
import { use } from '../support/use.ts'

/**
 * Columns have the character set latin1 and contain UTF-8: a WordPress with `DB_CHARSET` latin1 wrote them.
 * Right: nobody but that WordPress reads `Über uns` there (wpdb::set_charset), so nothing is written, and no page is built. WordPress's own conversion
 * leaves such tables alone (maybe_convert_table_to_utf8mb4, upgrade.php); the way by binary types keeps the bytes (manual of MySQL, "Column Character
 * Set Conversion").
 */
describe('UTF-8 in latin1 columns', async () => {
  const network = await useNetwork({ charset: 'utf8mb4', timings: { db: { tablesKnownMs: 0 } } })
  const api = await use(startApi(network))
  const { db } = network
  const site = await network.site(2)
  const { terms, options } = site.tables
  const service = await openTestService(network)
  const findings = async () =>
    (await examineSite({ ...service, now: () => new Date() }, site)).filter(({ check }) =>
      check.startsWith('charset_'),
    )
  const bytesOf = async (column: string, table: string) =>
    (await db.sql.raw('SELECT HEX(??) AS bytes FROM ?? ORDER BY 1', [column, table]))[0]
  const agent = await api.as('alice')
  const menu = await agent.post('/site/2/menus').send({ name: 'Größe', items: ['about-us'] })
  const frame = { slug: 'title', html: '<p><!-- svc/data {"source":"site.title"} /--></p>' }
  await agent.post('/site/2/frames').send(frame)
  await agent.post('/site/2/frames/title/assign').send({ page: 7 })

  it.each([
    [
      'terms',
      terms,
      'name',
      'varbinary(200) NOT NULL',
      "varchar(200) CHARACTER SET latin1 NOT NULL DEFAULT ''",
    ],
    [
      'options',
      options,
      'option_value',
      'longblob NOT NULL',
      'longtext CHARACTER SET latin1 NOT NULL',
    ],
  ])(
    'in %s refuse writes and builds, until the advice is followed',
    async (_, table, column, binary, latin1) => {
      await setOption(network, 2, 'blogname', `Läden ${table}`)
      const before = await bytesOf(column, table)
      for (const type of [binary, latin1])
        await db.sql.raw(`ALTER TABLE ?? MODIFY ?? ${type}`, [table, column])
      expect(await bytesOf(column, table)).toEqual(before)
      for (const request of [
        () => agent.patch(`/site/2/menus/${menu.body.menu.id}`).send({ name: 'Groß' }),
        () => agent.put('/site/2/frames/title').send({ html: 'x' }),
      ]) {
        const { status, body } = await request()
        expect([status, body.error], JSON.stringify(body)).toEqual([409, 'table_unsupported'])
        expect(body).toMatchObject({ table, columns: [column] })
      }
      const { body: rebuilt } = await agent.post('/site/2/frames/rebake').send({ all: true })
      expect(JSON.stringify(rebuilt)).toContain(`\\"${table}\\"`)
      expect(JSON.stringify((await agent.get('/site/2/work')).body)).toContain(`\\"${table}\\"`)
      expect((await agent.get('/site/2/menus')).status).toBe(200)
      expect(await bytesOf(column, table)).toEqual(before)

      const [finding] = await findings()
      expect(finding).toMatchObject({ check: 'charset_misread', severity: 'error' })
      expect(finding?.message).toContain(`"${table}"`)
      expect(finding?.fixHint).not.toMatch(/ALTER[^;]*CONVERT TO/)
      for (const [statement] of finding?.fixHint.matchAll(/ALTER TABLE [^;]+;/g) ?? [])
        await db.sql.raw(statement)
      expect(await bytesOf(column, table)).toEqual(before)
      expect(await findings()).toEqual([])
      const named = await agent.get(`/site/2/menus/${menu.body.menu.id}`)
      expect(named.body.menu.name).toBe('Größe')
      expect(
        (await agent.put('/site/2/frames/title').send({ html: `${frame.html}${table}` })).status,
      ).toBe(200)
    },
  )

  it('are not taken for plain latin1, nor plain latin1 for them', async () => {
    const [menuRow] = await db.sql(terms).where({ name: 'Größe' })
    expect(menuRow).toBeDefined()
    await db
      .sql(terms)
      .whereRaw('CONVERT(CONVERT(name USING latin1) USING utf8mb4) <> name COLLATE utf8mb4_bin')
      .delete()
    await db.sql.raw('ALTER TABLE ?? CONVERT TO CHARACTER SET latin1', [terms])
    expect(await bytesOf('name', terms)).toContainEqual({ bytes: '4772F6DF65' })
    expect(await findings()).toMatchObject([{ check: 'charset_narrow' }])
    const renamed = await agent.patch(`/site/2/menus/${menu.body.menu.id}`).send({ name: 'Süß' })
    expect(renamed.status, renamed.text).toBe(200)
    expect(await bytesOf('name', terms)).toContainEqual({ bytes: '53FCDF' })
  })
})
