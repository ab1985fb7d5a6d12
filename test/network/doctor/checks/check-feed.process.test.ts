import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FEED } from '../../../../src/changes/feed/feed-state.ts'
import { newOwner } from '../../../../src/db/lease.ts'
import { renewTask, takeTask } from '../../../../src/db/tasks/tasks-table.ts'
import { checkFeed, findSettingProblems } from '../../../../src/network/doctor/checks/check-feed.ts'
import type { Problem } from '../../../../src/network/doctor/finding.ts'
import { type BinlogServer, startBinlogServer } from '../../../support/binlog-server.ts'
import { sqlOf } from '../../../support/statements.ts'
import { taskRow } from '../../../support/tasks.ts'

const present = (problems: readonly Problem[]): string[] =>
  problems.map(
    ({ severity, check, message, fixHint }) => `${severity} ${check}: ${message} ${fixHint}`,
  )

describe('checkFeed', () => {
  let server: BinlogServer
  const owner = newOwner()
  const lease = { name: FEED, owner, leaseMs: 3000 }
  beforeAll(async () => {
    server = await startBinlogServer()
    await takeTask(server.db, server.globals, lease)
  })
  afterAll(() => server.stop())

  const renew = (lagMs?: number) =>
    renewTask(server.db, server.globals, lease, {
      state: JSON.stringify({ beat: `${owner}-1:1`, lagMs, failedAt: new Date().toISOString() }),
    })
  const check = async (feedUrl: string | undefined = server.feedUrl) =>
    present(await checkFeed({ ...server, feedUrl }))
  const feedUrl = (changes: Partial<URL>) => Object.assign(new URL(server.feedUrl), changes).href

  it('finds nothing on a server that is set up for the feed, and nothing without a feed', async () => {
    await renew(0)
    expect(await check()).toEqual([])
    expect(await checkFeed({ ...server, feedUrl: undefined })).toEqual([])
    expect(await check(Object.assign(new URL(server.url), { pathname: '/' }).href)).toEqual([])
  })

  it.each<[string, () => string | Promise<string>, RegExp]>([
    ['a wrong password', () => feedUrl({ password: 'x' }), /^error feed_unusable: .*denied access/],
    ['an unreachable server', () => feedUrl({ port: '1' }), /^error feed_unusable: .*ECONNREFUSED/],
    [
      'an account without the privilege',
      nobody,
      /^error feed_unusable: .*lacks the privilege REPLICATION SLAVE.*grants --for feed/,
    ],
  ])('reports %s', async (_, url, finding) => {
    await renew(0)
    expect(await check(await url())).toEqual([expect.stringMatching(finding)])
  })

  async function nobody(): Promise<string> {
    const other = server.isMariaDb ? 'REPLICATION SLAVE ADMIN' : 'REPLICATION_SLAVE_ADMIN'
    await server.run(
      `CREATE USER nobody@'127.0.0.1' IDENTIFIED BY 'pw'; GRANT SELECT ON *.* TO nobody@'127.0.0.1';
      GRANT ${other} ON *.* TO nobody@'127.0.0.1'`,
    )
    return feedUrl({ username: 'nobody', password: 'pw' })
  }

  it('reports a feed that is behind, that delivers nothing, and that nobody follows', async () => {
    await renew(90_000)
    expect(await check()).toEqual([
      expect.stringMatching(/^warning feed_down: .* 90 seconds behind/),
    ])
    await renew()
    expect(await check()).toEqual([
      expect.stringMatching(/^warning feed_down: .*own writes.*binlog_do_db/),
    ])
    const now = sqlOf(server.db).raw('NOW(6)')
    await taskRow(server, FEED).update({ due_at: now, error: 'Why.' })
    expect(await check()).toEqual([
      expect.stringMatching(/^warning feed_down: No process follows.* \d seconds ago: Why\./),
    ])
    await takeTask(server.db, server.globals, lease)
  })

  it('says how to make the server write rows', async () => {
    await renew(0)
    await server.run('SET GLOBAL binlog_format = MIXED')
    const found = await check()
    const [statement = ''] = /SET GLOBAL [^,]*/.exec(found.join()) ?? []
    await server.run(statement)
    expect(found).toEqual([
      expect.stringMatching(
        /^error feed_unusable: .*binlog_format=MIXED.*binlog_format = ROW.*Connections keep/,
      ),
    ])
    expect(await check()).toEqual([])
  })

  it('reports settings of the server', async () => {
    await renew(0)
    await server.run(
      'SET GLOBAL binlog_row_image = MINIMAL; SET GLOBAL binlog_expire_logs_seconds = 43200; SET GLOBAL read_only = ON',
    )
    const found = await check()
    await server.run('SET GLOBAL read_only = OFF')
    expect(found).toEqual([
      expect.stringMatching(/^warning feed_setting: .*read_only/),
      expect.stringMatching(/^warning feed_setting: .*Set binlog_row_image=FULL\.$/),
      expect.stringMatching(/^warning feed_setting: .*43200 seconds/),
    ])
  })
})

describe('findSettingProblems', () => {
  const MYSQL = {
    version: '9.7.4',
    hostname: 'db',
    port: '3306',
    server_uuid: 'a-b',
    log_bin: 'ON',
    binlog_format: 'ROW',
    binlog_row_image: 'FULL',
    binlog_row_value_options: '',
    binlog_expire_logs_seconds: '2592000',
    binlog_order_commits: 'ON',
    binlog_transaction_compression: 'OFF',
    gtid_mode: 'ON',
    enforce_gtid_consistency: 'ON',
    read_only: 'OFF',
  }
  const settings = (values: Record<string, string>) => ({
    isMariaDb: false,
    values: new Map(Object.entries({ ...MYSQL, ...values })),
  })

  it.each<[Record<string, string>, RegExp | undefined]>([
    [{}, undefined],
    [{ binlog_expire_logs_seconds: '0' }, undefined],
    [{ log_bin: 'OFF' }, /^error feed_unusable: .*Set log_bin/],
    [{ binlog_format: 'STATEMENT' }, /^error feed_unusable: .*SET GLOBAL binlog_format = 'ROW'/],
    [{ gtid_mode: 'OFF' }, /^error feed_unusable: .*Set gtid_mode=ON/],
    [
      { binlog_transaction_compression: 'ON' },
      /^error feed_unusable: .*binlog_transaction_compression=OFF/,
    ],
    [
      { enforce_gtid_consistency: 'WARN' },
      /^warning feed_setting: .*Set enforce_gtid_consistency=ON/,
    ],
    [{ binlog_order_commits: 'OFF' }, /^warning feed_setting: .*Set binlog_order_commits=ON/],
    [
      { binlog_row_value_options: 'PARTIAL_JSON' },
      /^warning feed_setting: .*binlog_row_value_options=''/,
    ],
    [{ binlog_expire_logs_seconds: '3600' }, /^warning feed_setting: .*3600 seconds/],
    [{ server_uuid: 'c-d' }, /^error feed_unusable: .*another server \(db 3306 c-d\).*same server/],
  ])('examines MySQL with %o', (values, finding) => {
    const found = present(
      findSettingProblems(settings(values), settings({ ...values, server_uuid: 'a-b' })),
    )
    expect(found).toEqual(finding ? [expect.stringMatching(finding)] : [])
  })
})
