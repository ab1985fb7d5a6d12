import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { startGuarded } from '../../demo/private-database/guarded-process.ts'
import { emptyDatabase } from '../support/database.ts'
import { describeWith } from '../support/describe-with.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { openTestDatabase } from '../support/open-database.ts'
import { sqlOf } from '../support/statements.ts'
import { use, useFolder } from '../support/use.ts'
import { textOf } from './compose-file.ts'
import { startNode } from './proxied-node.ts'

/** Runs HAProxy with the configuration of the cluster in front of nodes at other ports. */
async function startProxy(
  folder: string,
  nodes: readonly number[],
): Promise<{ port: number; stop(): Promise<void> }> {
  const port = await freePort()
  const configuration = nodes.reduce(
    (text, node, at) =>
      text.replace(`"database-${at}.\${DATABASE_DOMAIN}:3306"`, `127.0.0.1:${node}`),
    textOf('docker/cluster/database-proxy.cfg').replace('bind :3306', `bind 127.0.0.1:${port}`),
  )
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, configuration)
  const output = openSync(join(folder, 'log'), 'w')
  const { stop } = startGuarded(['haproxy', '-db', '-f', file], { output, grace: 1 })
  closeSync(output)
  return { port, stop }
}

/** The version of the server that a new connection gets; '' if there is none. */
async function serverAt(port: number): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  const received = await once(socket, 'data', { signal: AbortSignal.timeout(3000) }).catch(() => [])
  socket.on('error', () => {}).destroy()
  return /^[\w.-]+/.exec(received[0]?.toString('latin1', 5) ?? '')?.[0] ?? ''
}

describeWith('haproxy', 'HAProxy with database-proxy.cfg', async () => {
  const folder = await useFolder('proxy')

  it('sends all connections to one node that executes statements, until it fails', async () => {
    const [first, second] = [await startNode('first'), await startNode('second')]
    first.refuse(true)
    const proxy = await startProxy(folder, [first.port, second.port, await freePort()])
    try {
      await eventually(async () => expect(await serverAt(proxy.port)).toBe('second'))
      // It comes back, and its checks succeed.
      first.refuse(false)
      await eventually(() => expect(first.answered()).toBeGreaterThan(3))
      for (let time = 0; time < 3; time += 1) expect(await serverAt(proxy.port)).toBe('second')
      await second.stop()
      await eventually(async () => expect(await serverAt(proxy.port)).toBe('first'))
    } finally {
      await proxy.stop()
      await first.stop()
      await second.stop()
    }
  }, 60_000)

  const database = await use(emptyDatabase())
  const direct = await use(openTestDatabase({ url: database.url }))
  const [[{ version }]] = await direct.sql.raw('SELECT VERSION() AS version')
  const isMariaDb = version.includes('MariaDB')

  // The check logs in with mysql_native_password, which MySQL 9 does not have.
  if (!isMariaDb) return
  it('passes packets of several statements and settings of sessions to a real server', async () => {
    await direct.sql.raw("CREATE USER IF NOT EXISTS 'proxy-check'@'%'")
    const node = Number(new URL(inject('serverUrl')).port)
    const proxy = await startProxy(folder, [node, await freePort(), await freePort()])
    const url = Object.assign(new URL(database.url), { port: String(proxy.port) }).href
    const proxied = openTestDatabase({ url, poolSize: 2 })
    try {
      await eventually(async () => expect(await serverAt(proxy.port)).toContain('MariaDB'))
      await direct.sql.raw('CREATE TABLE t (id int PRIMARY KEY, v int)')
      await proxied.write({}, async (tx) => {
        tx.later('INSERT INTO t VALUES (1, 1)', {})
        tx.later('UPDATE t SET v = v + 1', {})
        const rows = await sqlOf(tx)('t').select('v')
        expect(rows).toEqual([{ v: 2 }])
      })
      expect(await direct.sql('t')).toEqual([{ id: 1, v: 2 }])
      const [[session]] = await proxied.sql.raw(
        'SELECT @@sql_mode AS mode, @@time_zone AS zone, @@innodb_lock_wait_timeout AS wait',
      )
      expect(session).toMatchObject({ zone: '+00:00' })
      expect(session.mode).toContain('STRICT_ALL_TABLES')
    } finally {
      await proxied.close()
      await proxy.stop()
      await direct.sql.raw("DROP USER 'proxy-check'@'%'")
    }
  }, 60_000)
})
