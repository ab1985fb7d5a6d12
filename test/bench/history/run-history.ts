import { writeChange } from '../../../src/changes/record-write.ts'
import { INLINE_ANALYZER } from '../../../src/content/frames/frame-markup.ts'
import { replaceFrame } from '../../../src/content/frames/replace-frame.ts'
import { readTree } from '../../../src/content/menus/item-tree.ts'
import { MENU_CHANGE, readWriteContext } from '../../../src/content/menus/write-context.ts'
import { replaceItems } from '../../../src/content/menus/write-items.ts'
import { deleteMenu } from '../../../src/content/menus/write-menu.ts'
import { chooseTargets } from '../../../src/content/restore/choose-targets.ts'
import { runRestore } from '../../../src/content/restore/run-restore.ts'
import { historyTable } from '../../../src/record/history/history-row.ts'
import { listEntries } from '../../../src/record/history/read-history.ts'
import type { SqlDatabase } from '../../support/open-database.ts'
import { createSiteFixture } from '../../support/site-fixture.ts'
import { statementsOf } from '../../support/statements.ts'
import { openBenchDatabase } from '../setup/open-database.ts'
import type { Undo } from '../setup/undo.ts'

const WRITES = 300
const WARM_UP = 30
const FRAMES = 500
const MENUS = 50
const ITEMS = 20

/** Some kilobytes of markup, different for each number. */
const markup = (number: number): string =>
  Array.from(
    { length: 40 },
    (_, line) =>
      `<p class="line-${line}">Text ${number} of the line ${line}, ${number * line}.</p>\n`,
  ).join('')

const items = (number: number): object[] =>
  Array.from({ length: ITEMS }, (_, at) => ({ url: `/to/${number}/${at}`, title: `Item ${at}` }))

/** Measures what the history adds to writes, its size, and a restore of a whole site, in this process. */
export async function runHistory(undo: Undo): Promise<void> {
  const { db, site } = await openBenchDatabase(undo.folder('history'), undo)
  const fixture = createSiteFixture(db, site)
  const now = () => new Date()
  const author = { userId: 1, unfilteredHtml: true }
  const menus = await readWriteContext(db, site, author, now)

  await fixture.frame('measured', markup(0))
  const written = { userId: 1, now: '2026-01-01 00:00:00', bake: true }
  await measure(db, 'replace a frame of 3 kB', (number) =>
    writeChange(db, { site }, (tx) =>
      replaceFrame(tx, site, 'measured', { ...written, html: markup(number) }),
    ),
  )
  const ref = String(await fixture.menu({ name: 'Measured', items: items(0) }))
  await measure(db, `replace a menu of ${ITEMS} items`, (number) => {
    const filling = { tree: readTree(items(number)), allowInvalid: false }
    return writeChange(db, { site }, async (tx) => {
      await replaceItems(tx, site, { ref }, filling, menus)
      return { change: MENU_CHANGE }
    })
  })

  const [[size]] = await db.sql.raw(
    `SELECT SUM(kind <> 'content') AS entries, SUM(LENGTH(data)) AS data, SUM(bytes) AS bytes FROM ??`,
    [historyTable(site.globals)],
  )
  const each = (bytes: unknown): number => Math.round(Number(bytes) / Number(size.entries))
  console.log(
    `${each(size.bytes)} bytes for an entry, ${each(size.data)} of them compressed content`,
  )

  const slugs = Array.from({ length: FRAMES }, (_, at) => `frame-${at}`)
  for (const [at, slug] of slugs.entries()) await fixture.frame(slug, markup(at))
  const ids: number[] = []
  for (let at = 0; at < MENUS; at += 1)
    ids.push(await fixture.menu({ name: `Menu ${at}`, items: items(at) }))
  const [last] = await listEntries(db, site.globals, site.blogId, { limit: 1 })
  for (const slug of slugs) await fixture.removeFrame(slug)
  for (const id of ids)
    await writeChange(db, { site }, async (tx) => {
      await deleteMenu(tx, site, menus.links.languages, { ref: String(id) })
      return { change: MENU_CHANGE }
    })
  const begin = performance.now()
  const chosen = await chooseTargets(db, site, { moment: { entry: last?.id ?? 0 } })
  const writer = { ...author, maxSiteBytes: undefined, analyzer: INLINE_ANALYZER, now }
  const { restored, obstacles } = await writeChange(db, { site }, (tx) =>
    runRestore(tx, site, chosen, { bake: false, isWhole: true }, writer),
  )
  const seconds = (performance.now() - begin) / 1000
  console.log(
    `restored ${restored.length} things (${FRAMES} frames, ${MENUS} menus of ${ITEMS} items), ${obstacles.length} not, in ${seconds.toFixed(1)} s`,
  )
}

/** Prints the time of a write, and the number of its statements that name the history. */
async function measure(
  db: SqlDatabase,
  name: string,
  work: (number: number) => Promise<unknown>,
): Promise<void> {
  for (let at = 1; at <= WARM_UP; at += 1) await work(at)
  let ms = 0
  const statements = await statementsOf(
    db,
    async () => {
      const begin = performance.now()
      for (let at = 0; at < WRITES; at += 1) await work(WARM_UP + at)
      ms = performance.now() - begin
    },
    ({ sql, text = sql }) => text,
  )
  const ofHistory = statements.filter((text) => text.includes('svc_history')).length
  console.log(
    `${name}: ${(ms / WRITES).toFixed(2)} ms, ${statements.length / WRITES} statements, of which ${ofHistory / WRITES} of the history`,
  )
}
