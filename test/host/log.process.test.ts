import { EventEmitter } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import { createLog, MAX_WAITING_LOG_BYTES } from '../../src/host/log.ts'
import { eventually } from '../support/eventually.ts'
import { cloneNetwork } from '../support/network.ts'
import { type ServeProcesses, startServeProcesses } from '../support/serve-processes.ts'

/** A pipe whose reader reads nothing until `read` is called. */
class SlowPipe extends EventEmitter {
  readonly lines: string[] = []
  writableLength = 0

  write(line: string): boolean {
    this.lines.push(line)
    this.writableLength += line.length
    return false
  }

  read(): void {
    this.writableLength = 0
    this.emit('drain')
  }
}

describe('the log', () => {
  it('limits the memory of a slow reader, and logs how many lines it dropped', () => {
    const pipe = new SlowPipe()
    const log = createLog('info', pipe as unknown as NodeJS.WriteStream)
    const text = 'x'.repeat(100_000)
    for (let line = 0; line < 100; line += 1) log.info(text)
    expect(pipe.writableLength).toBeGreaterThan(MAX_WAITING_LOG_BYTES)
    expect(pipe.writableLength).toBeLessThan(MAX_WAITING_LOG_BYTES + 2 * text.length)
    const kept = pipe.lines.length
    pipe.read()
    log.info('later')
    const last = pipe.lines.slice(kept).map((line) => JSON.parse(line))
    expect(last).toMatchObject([{ level: 40, dropped: 100 - kept }, { msg: 'later' }])
  })
})

describe('a process whose log is not read', () => {
  let service: ServeProcesses
  let drop: () => Promise<void>
  afterEach(async () => {
    service.processes[0]?.kill('SIGKILL')
    await drop()
  })
  const start = async (): Promise<string> => {
    const network = await cloneNetwork()
    drop = () => network.drop()
    service = await startServeProcesses(1, network.url, {
      TABLE_PREFIX: network.globals.basePrefix,
    })
    service.processes[0]?.stderr?.pause()
    return String(service.urls[0])
  }
  /** More than the pipe takes. */
  const LINES = 600
  const ask = async (url: string, times: number): Promise<void> => {
    for (let sent = 0; sent < times; sent += 100)
      await Promise.all(
        Array.from({ length: 100 }, async () => (await fetch(`${url}/none`)).arrayBuffer()),
      )
  }
  const ended = () =>
    new Promise<number | null>((resolve) => service.processes[0]?.once('exit', resolve))

  it('continues to answer, and stops on request', async () => {
    const url = await start()
    await ask(url, LINES)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    const exit = ended()
    service.processes[0]?.kill('SIGTERM')
    expect(await exit).toBe(0)
  })

  it('loses no line if the log is read again before the process ends', async () => {
    const url = await start()
    await ask(url, LINES)
    const exit = ended()
    service.processes[0]?.kill('SIGTERM')
    service.processes[0]?.stderr?.resume()
    expect(await exit).toBe(0)
    await eventually(() => expect(service.logs().match(/"request completed"/g)).toHaveLength(LINES))
  })
})
