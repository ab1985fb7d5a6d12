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
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createConnection } from 'mysql2/promise'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { findOwner } from '../../../demo/private-database/directory-lock.ts'
import { findServerBinary } from '../../../demo/private-database/find-server.ts'
import { startPrivateDatabase } from '../../../demo/private-database/start-private-database.ts'
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
  const startInChild = async (): Promise<{ child: ChildProcess; line: string }> => {
    const child = spawn(process.execPath, ['--import', 'tsx', CHILD, dataDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    children.push(child)
    for await (const line of createInterface(child.stdout)) return { child, line }
    throw new Error('the child printed nothing')
  }
  const serverPid = (): number => Number(readFileSync(join(dataDir, 'server.pid'), 'utf8'))
  const filesBeside = (): string[] => readdirSync(folder).sort()
  const filesAtRest = ['database', 'database.log', 'database.password', 'database.port']

  beforeEach(() => {
    // Longer than the path of a socket may be, and with spaces.
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

  it('does not touch the temporary tables of other servers when it is created', async () => {
    const others = join(tmpdir(), `#sql-${randomBytes(8).toString('hex')}.MAI`)
    writeFileSync(others, '')
    onTestFinished(() => rmSync(others, { force: true }))
    await start()
    expect(existsSync(others)).toBe(true)
    expect(filesBeside().filter((name) => name.includes('.new'))).toEqual([])
  })

  it('keeps its data and its port from one start to the next', async () => {
    const first = await start()
    expect(new URL(first.url).hostname).toBe('127.0.0.1')
    await query(first.url, 'CREATE DATABASE kept')
    expect(await query(first.url, 'SELECT @@character_set_database, @@max_connections')).toEqual([
      ['utf8mb4', 500],
    ])
    await first.stop()
    await expect(query(first.url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED')
    expect(filesBeside()).toEqual(filesAtRest)

    const second = await start()
    expect(await query(second.url, "SHOW DATABASES LIKE 'kept'")).toEqual([['kept']])
    expect(second.url).toBe(first.url)
  })

  it('takes another port if its last one is taken', async () => {
    const first = await start()
    const { port } = new URL(first.url)
    await first.stop()
    const other = createServer()
    await new Promise<void>((done) => other.listen(Number(port), '127.0.0.1', done))
    const second = await start()
    expect(new URL(second.url).port).not.toBe(port)
    await query(second.url, 'SELECT 1')
    await new Promise((done) => other.close(done))
  })

  it('accepts only its own account', async () => {
    const { url } = await start()
    const other = (user: string, password: string): string =>
      Object.assign(new URL(url), { username: user, password }).href
    await expect(query(other('root', ''), 'SELECT 1')).rejects.toThrow('Access denied')
    await expect(query(other('service', 'wrong'), 'SELECT 1')).rejects.toThrow('Access denied')
    await expect(query(other('', ''), 'SELECT 1')).rejects.toThrow('Access denied')
    expect(statSync(dataDir).mode & 0o077).toBe(0)
    for (const file of ['password', 'log'])
      expect(statSync(`${dataDir}.${file}`).mode & 0o077).toBe(0)
  })

  it('refuses a second start on the same directory', async () => {
    const { url, stop } = await start()
    await expect(start()).rejects.toThrow(
      `in use by process ${process.pid}. Stop that process first.`,
    )
    expect(await query(url, 'SELECT 1')).toEqual([[1]])
    await stop()
    await start()
    await stop()
    await expect(start()).rejects.toThrow('in use')
  })

  it('starts once when several processes start it at the same time after a crash', async () => {
    mkdirSync(folder, { recursive: true })
    symlinkSync('999999999 17', `${dataDir}.lock`)
    const all = await Promise.all([startInChild(), startInChild(), startInChild()])
    const winners = all.filter(({ line }) => line.startsWith('mysql://'))
    expect(winners).toHaveLength(1)
    const pid = winners[0]?.child.pid
    expect(all.filter(({ line }) => line.includes(`in use by process ${pid}`))).toHaveLength(2)
  })

  it('gives the lock of a process that has ended to one of several processes', async () => {
    mkdirSync(folder, { recursive: true })
    const directories = Array.from({ length: 300 }, (_, index) => join(folder, `${index}`))
    for (const directory of directories) symlinkSync('999999999 17', `${directory}.lock`)
    const lockInChild = async (): Promise<string[]> => {
      const child = spawn(
        process.execPath,
        ['--import', 'tsx', join(import.meta.dirname, 'lock-in-child.ts'), ...directories],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      )
      children.push(child)
      const lines: string[] = []
      for await (const line of createInterface(child.stdout))
        if (lines.push(line) === directories.length) return lines
      throw new Error(`the child printed only ${lines.length} lines`)
    }
    const results = await Promise.all([lockInChild(), lockInChild(), lockInChild()])
    const pids = children.map((child) => child.pid)
    for (const [index, directory] of directories.entries()) {
      const owner = pids.find((pid) => pid === findOwner(directory))
      const refused = `The database in ${directory} is in use by process ${owner}. Stop that process first.`
      expect(results.map((lines) => lines[index])).toEqual(
        pids.map((pid) => (pid === owner ? 'locked' : refused)),
      )
    }
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

  it.runIf(process.platform === 'linux')('stops a server that a crash left running', async () => {
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

  it('replaces the incomplete directory of a killed first start', async () => {
    mkdirSync(join(`${dataDir}.new`, 'mysql'), { recursive: true })
    await start()
    expect(filesBeside()).not.toContain('database.new')
  })

  it('refuses the data of another server, and folders without a database', async () => {
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

  it('reports why the server did not start, and leaves no process running', async () => {
    await expect(start(['--no-such-option'])).rejects.toThrow(
      /ended: .*no-such-option.* \(its log: .*database\.log\)/,
    )
    expect(filesBeside()).toEqual(filesAtRest.slice(0, 3))
    await start()
  })

  it('reports that the directory cannot be created', async () => {
    mkdirSync(folder)
    writeFileSync(dataDir, '')
    const message = `The database cannot be stored in ${dataDir}: a file has that name.`
    await expect(start()).rejects.toThrow(message)
    dataDir = join(dataDir, 'deeper')
    await expect(start()).rejects.toThrow('a file has that name.')
  })
})

it('without a way to get a database lists each way with the reason why it does not work', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'private-'))
  const methods = [
    { advice: 'dig', start: async () => 'no spade' },
    { advice: 'borrow', start: async () => 'no friends' },
  ]
  const options = { dataDir: join(folder, 'database'), durable: false, log: () => {} }
  await expect(startPrivateDatabase(options, methods)).rejects.toThrow(
    /\n.*DATABASE_URL=mysql:.*\n.*dig \(not possible now: no spade\)\n.*borrow \(not possible now: no friends\)$/,
  )
  expect(readdirSync(folder)).toEqual(['database.password'])
  rmSync(folder, { recursive: true })
})
