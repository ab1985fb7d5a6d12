import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeChange } from '../../../src/changes/record-write.ts'
import { createFrame } from '../../../src/content/frames/create-frame.ts'
import { deleteFrame } from '../../../src/content/frames/delete-frame.ts'
import { INLINE_ANALYZER } from '../../../src/content/frames/frame-markup.ts'
import { readRegistry } from '../../../src/content/frames/registry.ts'
import { replaceFrame } from '../../../src/content/frames/replace-frame.ts'
import { readTree } from '../../../src/content/menus/item-tree.ts'
import { readMenuName } from '../../../src/content/menus/menu-names.ts'
import { readWriteContext } from '../../../src/content/menus/write-context.ts'
import { replaceItems } from '../../../src/content/menus/write-items.ts'
import { createMenu, deleteMenu } from '../../../src/content/menus/write-menu.ts'
import { chooseTargets } from '../../../src/content/restore/choose-targets.ts'
import { runRestore } from '../../../src/content/restore/run-restore.ts'
import { historyTable } from '../../../src/record/history/history-row.ts'
import { listEntries } from '../../../src/record/history/read-history.ts'
import { listMenus } from '../../../src/wordpress/nav-menus/nav-menu.ts'
import type { SqlDatabase } from '../../support/open-database.ts'
import { statementsOf } from '../../support/statements.ts'
import { openBenchDatabase } from '../setup/open-database.ts'
import type { Undo } from '../setup/undo.ts'
import { describeFeedCost } from './feed-cost.ts'

const WRITES = 300
const WARM_UP = 30
const FRAMES = 500
const MENUS = 50
const ITEMS = 20

const write = { userId: 1, now: '2026-01-01 00:00:00', bake: true }

/** Some kilobytes of markup, different for each number. */
const markup = (number: number): string =>
  Array.from(
    { length: 40 },
    (_, line) =>
      `<p class="line-${line}">Text ${number} of the line ${line}, ${number * line}.</p>\n`,
  ).join('')

const tree = (number: number) =>
  readTree(
    Array.from({ length: ITEMS }, (_, at) => ({ url: `/to/${number}/${at}`, title: `Item ${at}` })),
  )

/** Measures what the history adds to writes, its size, and a restore of a whole site. */
export async function runHistory(undo: Undo): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'wp-frames-history-'))
  undo.add(() => rmSync(folder, { recursive: true, force: true }))
  const { db, site } = await openBenchDatabase(folder, undo)
  const now = () => new Date()
  const menus = await readWriteContext(db, site, { userId: 1, unfilteredHtml: true }, now)
  const create = (slug: string, html: string) =>
    writeChange(db, { site }, (tx) => createFrame(tx, site, { ...write, slug, html }))
  const makeMenu = (name: string, number: number) =>
    writeChange(db, { site }, (tx) =>
      createMenu(
        tx,
        site,
        {
          name: readMenuName(name),
          slug: undefined,
          assignment: undefined,
          tree: tree(number),
          allowInvalid: false,
        },
        menus,
      ),
    )

  await create('measured', markup(0))
  console.log(
    await measure(db, 'replace a frame of 3 kB', (number) =>
      writeChange(db, { site }, (tx) =>
        replaceFrame(tx, site, 'measured', { ...write, html: markup(number) }),
      ),
    ),
  )
  const { menu } = await makeMenu('Measured', 0)
  console.log(
    await measure(db, `replace a menu of ${ITEMS} items`, (number) =>
      writeChange(db, { site }, (tx) =>
        replaceItems(
          tx,
          site,
          { ref: String(menu.id) },
          { tree: tree(number), allowInvalid: false },
          menus,
        ),
      ),
    ),
  )

  const table = historyTable(site.globals)
  const [[size]] = await db.sql.raw(
    `SELECT SUM(kind <> 'content') AS entries, SUM(LENGTH(data)) AS data, SUM(bytes) AS bytes FROM ${table}`,
  )
  await db.sql.raw(`ANALYZE TABLE ${table}`)
  const perEntry = Math.round(Number(size.bytes) / Number(size.entries))
  const content = Math.round(Number(size.data) / Number(size.entries))
  console.log(`${perEntry} bytes for an entry, ${content} of them compressed content`)
  console.log(
    await describeFeedCost(db, site.globals, 2000, (number) =>
      writeChange(db, { site }, (tx) =>
        replaceFrame(tx, site, 'measured', { ...write, html: markup(number) }),
      ),
    ),
  )

  for (let at = 0; at < FRAMES; at += 1) await create(`frame-${at}`, markup(at))
  for (let at = 0; at < MENUS; at += 1) await makeMenu(`Menu ${at}`, at)
  const [last] = await listEntries(db, site.globals, site.blogId, { limit: 1 })
  for (const { id, slug } of (await readRegistry(db, site)).all())
    if (slug.startsWith('frame-'))
      await writeChange(db, { site }, (tx) => deleteFrame(tx, site, id, { bake: false }))
  for (const { id, name } of await listMenus(db, site))
    if (name.startsWith('Menu '))
      await writeChange(db, { site }, (tx) =>
        deleteMenu(tx, site, menus.links.languages, { ref: String(id) }),
      )
  const begin = performance.now()
  const chosen = await chooseTargets(db, site, { moment: { entry: last?.id ?? 0 } })
  const writer = {
    userId: 1,
    unfilteredHtml: true,
    maxSiteBytes: undefined,
    analyzer: INLINE_ANALYZER,
    now,
  }
  const { restored, obstacles } = await writeChange(db, { site }, (tx) =>
    runRestore(tx, site, chosen, { bake: false, isWhole: true }, writer),
  )
  const seconds = (performance.now() - begin) / 1000
  console.log(
    `restored ${restored.length} things (${FRAMES} frames, ${MENUS} menus of ${ITEMS} items), ${obstacles.length} not, in ${seconds.toFixed(1)} s`,
  )
}

/** The time of a write, and the number of its statements that name the history. */
async function measure(
  db: SqlDatabase,
  name: string,
  work: (number: number) => Promise<unknown>,
): Promise<string> {
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
  return `${name}: ${(ms / WRITES).toFixed(2)} ms, ${statements.length / WRITES} statements, of which ${ofHistory / WRITES} of the history`
}
