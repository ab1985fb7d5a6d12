import { readFile, truncate, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** Stalls below this time are not recorded, in milliseconds. */
const SHORTEST_MS = 20
/** How often the event loop is looked at, in milliseconds: so much a stall may be overestimated. */
const LOOK_MS = 5

/**
 * A module that the service loads first. It appends the stalls of its event loop to a file. A stall is the CPU time that the main thread used
 * between two looks, because a thread that waits for a core is not stalled; at most the time between them.
 */
const recorder = (file: string): string => `
import { appendFileSync, readFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
const STATE = '/proc/self/task/' + process.pid + '/schedstat'
const used = () => Number(readFileSync(STATE, 'latin1').split(' ')[0]) / 1e6
if (isMainThread && process.platform === 'linux') {
  let [time, cpu] = [performance.now(), used()]
  setInterval(() => {
    const [timeNow, cpuNow] = [performance.now(), used()]
    const ms = Math.min(timeNow - time, cpuNow - cpu)
    if (ms >= ${SHORTEST_MS}) appendFileSync(${JSON.stringify(file)}, ms.toFixed(1) + '\\n')
    time = timeNow
    cpu = cpuNow
  }, ${LOOK_MS}).unref()
}`

/** The option of Node with which a process loads the source of a module first. */
export const importing = (source: string): string =>
  `--import=data:text/javascript,${encodeURIComponent(source)}`

/** Measures for how long some work blocks the event loop of the service; on Linux, without the noise of the machine. */
export class LoopWatch {
  readonly #file: string

  /** @param file the stalls of the service, in milliseconds, a line each; it is created */
  constructor(file: string) {
    this.#file = file
  }

  /** What NODE_OPTIONS of the service must contain. */
  get nodeOption(): string {
    return importing(recorder(this.#file))
  }

  /** The longest stall of the service's event loop during some work, in milliseconds; 0 if none was longer than `SHORTEST_MS`. */
  async stallDuring<T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> {
    await writeFile(this.#file, '', { flag: 'a' })
    await truncate(this.#file)
    const result = await work()
    // A stall is recorded in the next iteration of the event loop.
    await sleep(50)
    const stalls = (await readFile(this.#file, 'utf8')).split('\n').map(Number)
    return { result, ms: Math.round(Math.max(...stalls)) }
  }
}
