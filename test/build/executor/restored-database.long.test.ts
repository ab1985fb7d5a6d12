import { cp, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { CopyScrub } from '../../../src/build/executor/copy-scrub.ts'
import { readFolderNumbers } from '../../../src/build/publishing/folder-numbers.ts'
import { networkTable } from '../../../src/build/publishing/network-identity.ts'
import {
  publicationsTable,
  readStoredNumbers,
} from '../../../src/build/publishing/publication-numbers.ts'
import { createLog } from '../../../src/host/log.ts'
import { FolderWatch, RestoreWatch } from '../../../src/network/identity/folder-watch.ts'
import { eventually } from '../../support/eventually.ts'
import { type TestFront, useFront } from '../../support/front.ts'
import { type PageCache, startPageCache } from '../../support/page-cache.ts'
import { type SavedTables, saveTables } from '../../support/saved-tables.ts'
import { statementsOf } from '../../support/statements.ts'
import { startTasks } from '../../support/tasks.ts'
import { use, useFolder } from '../../support/use.ts'
import { forgetWork } from '../../support/work-rows.ts'

const [ABOUT, PROPOS] = [7, 8]
const HOST = 'net.test/shop'

let parent: string
let cache: PageCache
let front: TestFront

beforeEach(async () => {
  parent = await useFolder('restored')
  cache = await use(startPageCache())
  const staticDir = join(parent, 'static')
  front = await useFront({ staticDir, pageCachePurge: [cache.base] })
  await front.frame(2, 'page', '<p>one</p>')
  await front.assign(2, 'page', [ABOUT])
})

const copyAt = (path: string) => join(front.staticDir, HOST, path, 'index.html')
const textAt = (path: string) => front.copyAt(`${HOST}/${path}`)
const urlOf = (page: number) =>
  `PURGE net.test${page === ABOUT ? '/shop/about-us/' : '/shop/fr/a-propos/'}`

/** Does what a process of the service does. */
function watch(pagesPerMinute = 6000) {
  const { network, executor } = front
  const { copies, identities } = executor
  if (copies === undefined) throw new Error('no folder')
  const options = {
    db: network.db,
    globals: network.globals,
    log: createLog('silent'),
    copies,
    identities,
    pagesPerMinute,
    pageCachePurge: [cache.base],
    wake: (blogId: number) => executor.wake(blogId),
  }
  executor.start()
  const restores = new RestoreWatch(options)
  onTestFinished(() => restores.stop())
  startTasks(network, new FolderWatch(options), new CopyScrub(options))
}

/** All tables, as a dump has them. */
async function dump(): Promise<SavedTables> {
  const { network } = front
  const [rows] = await network.db.sql.raw('SHOW TABLES')
  const tables = rows.map((row: object) => String(Object.values(row)[0]))
  return use(saveTables(network, tables))
}

const network = () => front.network.db.sql(networkTable(front.network.globals)).first()

describe('a database that was restored', () => {
  it('is noticed: pages get the content of the restored state, and pages that it does not have lose their copies', async () => {
    const backup = await dump()
    await front.frame(2, 'page', '<p>two</p>')
    await front.assign(2, 'page', [ABOUT, PROPOS])
    expect([textAt('about-us'), textAt('fr/a-propos')]).toEqual(['<p>two</p>', '<p>two</p>'])
    await backup.restore()
    cache.purged.length = 0
    watch()
    await eventually(() => {
      expect(textAt('about-us')).toBe('<p>one</p>')
      expect(textAt('fr/a-propos')).toBeUndefined()
      expect(cache.purged).toEqual(expect.arrayContaining([urlOf(ABOUT), urlOf(PROPOS)]))
    })
    expect(await network()).toMatchObject({
      restored_at: expect.any(String),
      restored_because: expect.stringContaining('publication numbers'),
    })
    const { db, globals } = front.network
    expect([...(await readFolderNumbers(front.staticDir))]).toEqual(
      [...(await readStoredNumbers(db, globals))].filter(([, number]) => number > 0),
    )
  })

  it('publishes nothing until everything is verified', async () => {
    const backup = await dump()
    await front.frame(2, 'page', '<p>two</p>')
    await front.assign(2, 'page', [ABOUT, PROPOS])
    await backup.restore()
    await front.frame(2, 'page', '<p>three</p>')
    const { statics } = await front.assign(2, 'page', [ABOUT])
    expect(statics.get(ABOUT)).toMatchObject({
      changed: false,
      message: expect.stringContaining('older than the static copies'),
    })
    watch()
    await eventually(() => {
      expect([textAt('about-us'), textAt('fr/a-propos')]).toEqual(['<p>three</p>', undefined])
    })
  })

  it('is noticed again while its tables are still being created', async () => {
    const backup = await dump()
    await front.frame(2, 'page', '<p>two</p>')
    await front.assign(2, 'page', [ABOUT])
    await backup.restore()
    watch()
    await eventually(async () => expect((await network()).restored_at).not.toBeNull())
    const { restored_at: first } = await network()
    const { db, globals } = front.network
    // The table of work is loaded last, and replaces what was recorded.
    await forgetWork(front.network)
    await writeFile(copyAt('about-us'), '<p>two</p>')
    await db.sql(networkTable(globals)).update({ verify_at: db.sql.raw('NOW(6)') })
    await eventually(async () => {
      expect((await network()).restored_at).not.toBe(first)
      expect(textAt('about-us')).toBe('<p>one</p>')
    })
  })

  it('is noticed if the table that says so is restored too', async () => {
    watch()
    const { db, globals } = front.network
    const setRestoredAt = (restored_at: unknown) =>
      db.sql(networkTable(globals)).update({ restored_at })
    await setRestoredAt(db.sql.raw('NOW(6)'))
    await statementsOf(db, (statements) =>
      eventually(() =>
        expect(statements.filter((one) => one.includes('verify_at <=')).length).toBeGreaterThan(1),
      ),
    )
    await setRestoredAt(null)
    await eventually(async () =>
      expect((await network()).restored_because).toContain('still being'),
    )
  })
})

it('a folder that was restored or replaced is older than the database, and gets all copies as they are to be', async () => {
  const { staticDir } = front
  const backup = join(parent, 'backup')
  await cp(staticDir, backup, { recursive: true, preserveTimestamps: true })
  await front.frame(2, 'page', '<p>two</p>')
  await front.assign(2, 'page', [ABOUT])
  await rename(staticDir, join(parent, 'away'))
  await cp(backup, staticDir, { recursive: true, preserveTimestamps: true })
  watch(0)
  await eventually(() => expect(textAt('about-us')).toBe('<p>two</p>'))
  const { db, globals } = front.network
  await eventually(async () =>
    expect([...(await readFolderNumbers(staticDir))]).toEqual(
      [...(await readStoredNumbers(db, globals))].filter(([, number]) => number > 0),
    ),
  )
})

it('the service numbers each publication, in the database before the folder', async () => {
  const { db, globals } = front.network
  const numbers = async () => [
    (await readStoredNumbers(db, globals)).get(2),
    (await readFolderNumbers(front.staticDir)).get(2),
  ]
  const [before] = await numbers()
  await front.assign(2, 'page', [ABOUT])
  expect(await numbers(), 'nothing changed').toEqual([before, before])
  await front.assign(2, 'page', [PROPOS])
  expect(await numbers()).toEqual([Number(before) + 1, Number(before) + 1])
  await db.sql(publicationsTable(globals)).where({ bucket: 2 }).update({ number: 0 })
  const { statics } = await front.assign(2, 'page', [ABOUT, PROPOS], { clear: true })
  expect(statics.get(PROPOS)).toMatchObject({ was_published: true, removed: false })
  expect(textAt('fr/a-propos')).toBe('<p>one</p>')
})
