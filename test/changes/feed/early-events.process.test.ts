import { afterAll, expect, it } from 'vitest'
import { type BinlogListener, BinlogStream } from '../../../src/changes/feed/binlog-stream.ts'
import { readFeedServer } from '../../../src/changes/feed/feed-server.ts'
import { eventually } from '../../support/eventually.ts'
import { sqlOf } from '../../support/statements.ts'
import { FAST } from '../../support/timings.ts'
import { use } from '../../support/use.ts'
import { startFeed, startFeedServer } from './feed-fixture.ts'

/*
 * With semi-synchronous replication and no replica, a commit waits between the write of the binlog and the moment in which other connections
 * see its rows. This makes the race deterministic that exists without it too, for as long as a disk sync takes.
 */
const WAIT_MS = 2000
/** The first transaction waits; then the server gives up waiting. In MariaDB's names. */
const MAKE_NEXT_COMMIT_WAIT = `
  SET GLOBAL rpl_semi_sync_master_enabled = OFF;
  SET GLOBAL rpl_semi_sync_master_wait_point = AFTER_SYNC, rpl_semi_sync_master_wait_no_slave = ON;
  SET GLOBAL rpl_semi_sync_master_timeout = ${WAIT_MS};
  SET GLOBAL rpl_semi_sync_master_enabled = ON;`

/** What a reader saw when an event of a post arrived, and when the feed reported it. */
const seenAtEvent: string[] = []
const seenAtReport: string[] = []

const readTitle = async (): Promise<string> => {
  const post = 'SELECT post_title AS title FROM wp_2_posts WHERE ID = 10'
  return (await server.row<{ title: string }>(post)).title
}

const server = await use(startFeedServer())
if (!server.isMariaDb)
  await server.run("INSTALL PLUGIN rpl_semi_sync_source SONAME 'semisync_source.so'")
await use(
  startFeed(server, {
    onChanges: async ({ sites }) => {
      if (sites.has(2)) seenAtReport.push(await readTitle())
    },
  }),
)
const { position } = await readFeedServer(server.db)
const listener: BinlogListener = {
  isFollowed: (_, table) => table === 'wp_2_posts',
  onRows: () => {
    void readTitle().then((title) => seenAtEvent.push(title))
    return true
  },
  onUnknownRows: () => {},
  onDefinition: () => {},
  onStatement: () => {},
  onCommit: () => {},
  readColumns: async (table) => {
    const statement =
      'SELECT COLUMN_NAME, COLUMN_TYPE, NULL AS CHARACTER_SET_NAME FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? ORDER BY ORDINAL_POSITION'
    return (await sqlOf(server.db).raw(statement, [table]))[0]
  },
}
const stream = new BinlogStream({ url: server.feedUrl, position, listener, timings: FAST })
afterAll(() => stream.stop())

/** Changes the title in a transaction whose events arrive before its rows are visible. @returns the running statement, when the event has arrived */
async function startEdit(title: string): Promise<{ readonly edit: Promise<void> }> {
  seenAtEvent.length = 0
  seenAtReport.length = 0
  const settings = server.isMariaDb
    ? MAKE_NEXT_COMMIT_WAIT
    : MAKE_NEXT_COMMIT_WAIT.replaceAll('master', 'source').replaceAll('slave', 'replica')
  const edit = server.run(`${settings} UPDATE wp_2_posts SET post_title = '${title}' WHERE ID = 10`)
  await eventually(() => expect(seenAtEvent).toHaveLength(1))
  return { edit }
}

it('the feed reports rows when they are visible, although their events arrive before', async () => {
  const isEarly = async (title: string): Promise<boolean> => {
    const { edit } = await startEdit(title)
    await edit
    await eventually(() => expect(seenAtReport).toHaveLength(1))
    expect(seenAtReport).toEqual([title])
    return seenAtEvent[0] !== title
  }
  // A renewal of the lease may be the commit that waits.
  let attempts = 1
  while (!(await isEarly(`title ${attempts}`))) attempts += 1
  expect(attempts).toBeLessThan(5)
})

it('the feed leaves no old result of a validated read that was kept between the event and the rows', async () => {
  const read = async (): Promise<string> => {
    const { titles } = await server.db.validated(
      'title',
      async (db) => {
        const post = () => sqlOf(db)('wp_2_posts').where({ ID: 10 })
        return { titles: [...(await post().pluck('post_title')), await post().pluck('ID')] }
      },
      () => 100,
    )
    return titles[0]
  }
  const keepsOld = async (title: string): Promise<boolean> => {
    const { edit } = await startEdit(title)
    const kept = [await read(), await read()]
    await edit
    expect(await read()).toBe(title)
    expect(await read()).toBe(title)
    return kept.every((seen) => seen !== title)
  }
  let attempts = 1
  while (!(await keepsOld(`kept title ${attempts}`))) attempts += 1
  expect(attempts).toBeLessThan(5)
})
