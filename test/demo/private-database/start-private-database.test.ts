import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createConnection } from 'mysql2/promise'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { findServerBinary } from '../../../demo/private-database/find-server.ts'
import {
  findRunningDatabase,
  startPrivateDatabase,
} from '../../../demo/private-database/start-private-database.ts'
import type { RunningServer } from '../../../demo/private-database/start-server.ts'
import { eventually } from '../../support/eventually.ts'
import { isAlive } from './is-alive.ts'

const CHILD = join(import.meta.dirname, 'start-in-child.ts')

const query = async (url: string, sql: string): Promise<unknown> => {
  const connection = await createConnection({ uri: url, connectTimeout: 2000 })
  try {
    return (await connection.query({ sql, rowsAsArray: true }))[0]
  } finally {
    await connection.end()
  }
}

describe.skipIf(!findServerBinary())('a private database', () => {
  let folder: string
  let dataDir: string
  let running: RunningServer[]
  let children: ChildProcess[]

  const start = async (extraArgs: string[] = []): Promise<RunningServer> => {
    const server = await startPrivateDatabase({ dataDir, durable: false, log: () => {}, extraArgs })
    running.push(server)
    return server
  }
  const startInChild = async (): Promise<{ child: ChildProcess; said: string }> => {
    const child = spawn(process.execPath, ['--import', 'tsx', CHILD, dataDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    children.push(child)
    for await (const said of createInterface(child.stdout)) return { child, said }
    throw new Error('the child said nothing')
  }
  const serverPid = (): number => Number(readFileSync(join(dataDir, 'server.pid'), 'utf8'))
  const filesBeside = (): string[] => readdirSync(folder).sort()
  const filesAtRest = ['database', 'database.log', 'database.password']

  beforeEach(() => {
    // Longer than the address of a socket may be, and with a space in it.
    folder = join(mkdtempSync(join(tmpdir(), 'private-')), 'a folder '.repeat(12).trim())
    dataDir = join(folder, 'database')
    running = []
    children = []
  })
  afterEach(async () => {
    for (const child of children) child.kill('SIGKILL')
    await Promise.all(running.map((server) => server.stop()))
    await eventually(() => rmSync(join(folder, '..'), { recursive: true, force: true }))
  })

  it('is made without touching the temporary tables of other servers', async () => {
    const others = join(tmpdir(), `#sql-${randomBytes(8).toString('hex')}.MAI`)
    writeFileSync(others, '')
    onTestFinished(() => rmSync(others, { force: true }))
    await start()
    expect(existsSync(others)).toBe(true)
    expect(filesBeside().filter((name) => name.includes('.new'))).toEqual([])
  })

  it('keeps its data from one start to the next', async () => {
    const first = await start()
    expect(new URL(first.url).hostname).toBe('127.0.0.1')
    await query(first.url, 'CREATE DATABASE kept')
    expect(await query(first.url, 'SELECT @@collation_database, @@max_connections')).toEqual([
      ['utf8mb4_unicode_520_ci', 200],
    ])
    await first.stop()
    await expect(query(first.url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED')
    expect(filesBeside()).toEqual(filesAtRest)

    const second = await start()
    expect(await query(second.url, "SHOW DATABASES LIKE 'kept'")).toEqual([['kept']])
  })

  it('is open to its account alone', async () => {
    const { url } = await start()
    const other = (user: string, password: string): string =>
      Object.assign(new URL(url), { username: user, password }).href
    await expect(query(other('root', ''), 'SELECT 1')).rejects.toThrow('Access denied')
    await expect(query(other('service', 'wrong'), 'SELECT 1')).rejects.toThrow('Access denied')
    await expect(query(other('', ''), 'SELECT 1')).rejects.toThrow('Access denied')
    expect(statSync(dataDir).mode & 0o077).toBe(0)
    for (const file of ['password', 'url', 'log'])
      expect(statSync(`${dataDir}.${file}`).mode & 0o077).toBe(0)
  })

  it('runs once, and others find it', async () => {
    expect(findRunningDatabase(dataDir)).toBeUndefined()
    const { url, stop } = await start()
    expect(findRunningDatabase(dataDir)).toBe(url)
    await expect(start()).rejects.toThrow(`in use by process ${process.pid}: stop that one first.`)
    expect(await query(url, 'SELECT 1')).toEqual([[1]])
    await stop()
    expect(findRunningDatabase(dataDir)).toBeUndefined()
    await start()
    await stop()
    await expect(start()).rejects.toThrow('in use')
  })

  it('starts once when several start it at the same moment, after a crash', async () => {
    mkdirSync(folder, { recursive: true })
    symlinkSync('999999999 17', `${dataDir}.lock`)
    const all = await Promise.all([startInChild(), startInChild(), startInChild()])
    const winners = all.filter(({ said }) => said.startsWith('mysql://'))
    expect(winners).toHaveLength(1)
    const pid = winners[0]?.child.pid
    expect(all.filter(({ said }) => said.includes(`in use by process ${pid}`))).toHaveLength(2)
  })

  it.runIf(process.platform === 'linux')('ends with a killed program', async () => {
    const { child } = await startInChild()
    const pid = serverPid()
    expect(isAlive(pid)).toBe(true)
    child.kill('SIGKILL')
    await once(child, 'exit')
    await eventually(() => expect(isAlive(pid)).toBe(false))
    await start()
  })

  it.runIf(process.platform === 'linux')('replaces a server left over', async () => {
    const { child } = await startInChild()
    const pid = serverPid()
    const session = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[2]
    const guards = readFileSync(`/proc/${session}/task/${session}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter((guard) => Number(guard) !== pid)
    for (const guard of [session, ...guards]) process.kill(Number(guard), 'SIGKILL')
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(isAlive(pid)).toBe(true)
    onTestFinished(() => {
      if (isAlive(pid)) process.kill(pid, 'SIGKILL')
    })

    const { url } = await start()
    expect(isAlive(pid)).toBe(false)
    expect(await query(url, 'SELECT 1')).toEqual([[1]])
  })

  it('makes anew what a killed first start left', async () => {
    mkdirSync(join(`${dataDir}.new`, 'mysql'), { recursive: true })
    await start()
    expect(filesBeside()).not.toContain('database.new')
  })

  it("refuses another server's data, and folders that are no database", async () => {
    mkdirSync(dataDir, { recursive: true })
    writeFileSync(join(dataDir, 'opened-by'), 'MySQL 99.1.0')
    await expect(start()).rejects.toThrow(
      /belongs to MySQL 99\.1\.0 and cannot be opened by .*: delete the folder/,
    )
    rmSync(join(dataDir, 'opened-by'))
    writeFileSync(join(dataDir, 'holiday.jpg'), '')
    await expect(start()).rejects.toThrow('is not a database of this program')
    expect(readdirSync(dataDir)).toEqual(['holiday.jpg'])
  })

  it('says why the server did not start, and leaves nothing running', async () => {
    await expect(start(['--no-such-option'])).rejects.toThrow(
      /ended: .*no-such-option.* \(its log: .*database\.log\)/,
    )
    expect(filesBeside()).toEqual(filesAtRest)
    await start()
  })

  it('says when it cannot be kept there', async () => {
    mkdirSync(folder)
    writeFileSync(dataDir, '')
    const here = `The database cannot be kept in ${dataDir}: a file is in its place.`
    await expect(start()).rejects.toThrow(here)
    dataDir = join(dataDir, 'deeper')
    await expect(start()).rejects.toThrow('a file is in its place.')
  })
})

describe('without any way to a database', () => {
  it('lists the ways, each in a line', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'private-'))
    const ways = [
      { advice: 'dig', start: async () => 'no spade' },
      { advice: 'borrow', start: async () => 'no friends' },
    ]
    const options = { dataDir: join(folder, 'database'), durable: false, log: () => {} }
    await expect(startPrivateDatabase(options, ways)).rejects.toThrow(
      /\n.*DATABASE_URL=mysql:.*\n.*dig \(now: no spade\)\n.*borrow \(now: no friends\)$/,
    )
    expect(readdirSync(folder)).toEqual(['database.password'])
    rmSync(folder, { recursive: true })
  })
})
