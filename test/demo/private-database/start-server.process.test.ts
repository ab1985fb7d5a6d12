import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startOnFreePort } from '../../../demo/private-database/start-server.ts'
import { isAlive } from './is-alive.ts'

describe('startOnFreePort', () => {
  let folder: string
  const start = (command: (port: number) => string[], timeoutSeconds = 60) =>
    startOnFreePort({
      directory: join(folder, 'database'),
      user: 'service',
      password: 'secret',
      how: 'Test 1.0',
      timeoutSeconds,
      command,
    })

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'port-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('retries with another port, a limited number of times', async () => {
    const blocker = createServer().listen(0, '127.0.0.1')
    await new Promise((settle) => blocker.once('listening', settle))
    const { port: taken } = blocker.address() as AddressInfo
    const offered: number[] = []
    const listen = `require('net').createServer().listen(${taken}, '127.0.0.1')`
    await expect(
      start((port) => {
        offered.push(port)
        return [process.execPath, '-e', listen]
      }),
    ).rejects.toThrow(/Test 1\.0\) ended: .*its log: .*database\.log/)
    expect(offered).toHaveLength(3)
    blocker.close()
  })

  it('reports the first error of the log', async () => {
    const script = 'echo note; echo "1 [ERROR] the cause"; echo "2 [ERROR] Aborting"; exit 1'
    await expect(start(() => ['sh', '-c', script])).rejects.toThrow('ended: the cause (its log')
  })

  it('reports a full disk as such', async () => {
    const script = 'echo "[ERROR] InnoDB: preallocating 9 bytes failed with error 28"; exit 1'
    await expect(start(() => ['sh', '-c', script])).rejects.toThrow('no space left on the disk')
  })

  it('stops a server that does not answer in time', async () => {
    await expect(start(() => ['sh', '-c', 'echo $$; exec sleep 60'], 2)).rejects.toThrow(
      'did not answer within 2 seconds',
    )
    const pid = Number(readFileSync(join(folder, 'database.log'), 'utf8'))
    expect(pid).toBeGreaterThan(0)
    expect(isAlive(pid)).toBe(false)
  })
})
