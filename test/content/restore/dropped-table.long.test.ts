import { afterAll, beforeAll, expect, it } from 'vitest'
import { commandsOn } from '../../support/cli.ts'
import { useNetwork } from '../../support/network.ts'
import { createSiteFixture } from '../../support/site-fixture.ts'

/** A page of the demo network. */
const ABOUT = 7

const network = await useNetwork()
const { db } = network
const { tables } = await network.site(2)
const fixture = createSiteFixture(db, await network.site(2))

/** Tables that an accident takes together. */
const ACCIDENTS = {
  options: [tables.options],
  posts: [tables.posts, tables.postmeta],
  terms: [tables.terms, tables.termTaxonomy, tables.termRelationships],
}
const dumped = Object.values(ACCIDENTS).flat()
const copyOf = (table: string) => `dump_of_${table}`

async function copyTable(from: string, to: string): Promise<void> {
  await db.sql.raw('CREATE TABLE ?? LIKE ??', [to, from])
  await db.sql.raw('INSERT INTO ?? SELECT * FROM ??', [to, from])
}

async function run(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await commandsOn(network).run(...args)
  if (code !== 0) throw new Error(stderr)
  return stdout
}

/** What the service writes to a site, as its commands show it. */
const state = async () => ({
  kept: await run('frames', 'show', 'kept', '--site', '2'),
  added: await run('frames', 'show', 'added', '--site', '2'),
  menu: await run('menus', 'export', 'Late', '--site', '2'),
  frame: await db
    .sql(tables.postmeta)
    .where({ post_id: ABOUT, meta_key: '_svc_frame' })
    .first('meta_value'),
})

let last = ''
beforeAll(async () => {
  await fixture.frame('kept', '<p>old</p>\n')
  for (const table of dumped) await copyTable(table, copyOf(table))
  await fixture.frame('kept', '<p>new</p>\n')
  await fixture.frame('added', '<p>added</p>\n')
  await fixture.assign('added', [ABOUT], { bake: false })
  await fixture.menu({
    name: 'Late',
    location: 'footer_3',
    items: [{ title: 'Shop', url: 'https://example.org/' }],
  })
  const { entries } = JSON.parse(await run('history', '--site', '2', '--json'))
  last = String(entries[0].id)
})
afterAll(async () => {
  for (const table of dumped) await db.sql.raw('DROP TABLE IF EXISTS ??', [copyOf(table)])
})

it.each(Object.keys(ACCIDENTS) as (keyof typeof ACCIDENTS)[])(
  'what was written since the dump comes back from the history if %s is dropped',
  async (accident) => {
    const before = await state()
    expect(before.kept).toBe('<p>new</p>\n')
    for (const table of ACCIDENTS[accident]) {
      await db.sql.raw('DROP TABLE ??', [table])
      await copyTable(copyOf(table), table)
    }
    db.cache.clear()
    expect(await state().catch((error) => String(error))).not.toEqual(before)
    const dry = await run('restore', '--site', '2', '--at', last, '--everything', '--dry-run')
    expect(dry).toContain('restored')
    await run('restore', '--site', '2', '--at', last, '--everything', '--no-bake', '--yes')
    db.cache.clear()
    expect(await state()).toEqual(before)
  },
)
