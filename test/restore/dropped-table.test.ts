import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCommand } from '../support/cli.ts'
import { cloneNetwork } from '../support/network.ts'
import { createSiteFixture } from '../support/site-fixture.ts'
import { use } from '../support/use.ts'

/** A page of the demo network. */
const ABOUT = 7

const network = await use(cloneNetwork())
const { db, globals } = network
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
  const env = { DATABASE_URL: network.url, TABLE_PREFIX: globals.basePrefix, STATIC_DIR: '' }
  const { code, stdout, stderr } = await runCommand(args, env)
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

type Entry = { readonly id: number; readonly kind: string; readonly ref: string }

const listEntries = async (): Promise<readonly Entry[]> =>
  JSON.parse(await run('history', '--site', '2', '--limit', '1000', '--json')).entries

const lastEntry = async () => String((await listEntries())[0]?.id ?? 0)

/** The last entries of all things that were written between the dump and the accident, in their order. */
let written: readonly Entry[] = []
function lastEntries(): readonly number[] {
  const last = new Map<string, number>()
  for (const { kind, ref, id } of written)
    if (id > Number(since))
      last.set(`${kind} ${ref}`, Math.max(id, last.get(`${kind} ${ref}`) ?? 0))
  return [...last.values()].sort((a, b) => a - b)
}

let since = ''
beforeAll(async () => {
  await fixture.frame('kept', '<p>old</p>\n')
  for (const table of dumped) await copyTable(table, copyOf(table))
  since = await lastEntry()
  await fixture.frame('kept', '<p>new</p>\n')
  await fixture.frame('added', '<p>added</p>\n')
  await fixture.assign('added', [ABOUT], { bake: false })
  await fixture.menu({
    name: 'Late',
    location: 'footer_3',
    items: [{ title: 'Shop', url: 'https://example.org/' }],
  })
  written = await listEntries()
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
    for (const entry of lastEntries())
      await run('restore', '--site', '2', '--entry', String(entry), '--no-bake')
    db.cache.clear()
    expect(await state()).toEqual(before)
  },
)
