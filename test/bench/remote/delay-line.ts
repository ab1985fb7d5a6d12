import { Worker } from 'node:worker_threads'

/** Milliseconds of a clock that all threads share, with fractions. */
const nowMs = (): number => Number(process.hrtime.bigint()) / 1e6

/** Limit of the time by which the alarm is set early, in milliseconds, and the share of the last lateness by which that time changes. */
const [MAX_EARLY_MS, GAIN] = [0.5, 0.05]

/**
 * Runs steps after a fixed delay, in their order. Timers of Node.js count whole milliseconds from the start of a round of the event loop: 1 ms lasted
 * 0.5 to 1.5. So a thread sleeps until the exact time. To report it takes 0.2 to 0.3 ms, so the alarm is set early by the mean lateness.
 */
export class DelayLine {
  readonly #delayMs: number
  readonly #steps: { readonly due: number; readonly run: () => void }[] = []
  readonly #signals = new Int32Array(new SharedArrayBuffer(8))
  readonly #due = new Float64Array(new SharedArrayBuffer(8))

  #earlyMs = 0

  /** @param delayMs 0 runs each step at once */
  constructor(delayMs: number) {
    this.#delayMs = delayMs
    if (delayMs === 0) return
    const state = { signals: this.#signals, due: this.#due }
    const thread = new Worker(ALARM, { eval: true, workerData: state })
    thread.on('message', () => this.#runDue())
  }

  after(run: () => void): void {
    if (this.#delayMs === 0) {
      run()
      return
    }
    this.#steps.push({ due: nowMs() + this.#delayMs, run })
    if (this.#steps.length === 1) this.#setAlarm()
  }

  #runDue(): void {
    const now = nowMs()
    const late = now - (this.#steps[0]?.due ?? now)
    this.#earlyMs = Math.min(MAX_EARLY_MS, Math.max(0, this.#earlyMs + late * GAIN))
    const end = now + this.#earlyMs
    for (let step = this.#steps[0]; step && step.due <= end; step = this.#steps[0]) {
      this.#steps.shift()
      step.run()
    }
    this.#setAlarm()
  }

  #setAlarm(): void {
    const [first] = this.#steps
    if (!first) return
    this.#due[0] = first.due - this.#earlyMs
    Atomics.store(this.#signals, 0, 1)
    Atomics.notify(this.#signals, 0)
  }
}

/**
 * The thread: `signals[0]` is 1 while a time is set, and `signals[1]` is always 0, so that a wait for it ends with its timeout. JavaScript in a text,
 * because threads have no loader for TypeScript.
 */
const ALARM = `
const { parentPort, workerData: { signals, due } } = require('node:worker_threads')
for (;;) {
  Atomics.wait(signals, 0, 0)
  const rest = due[0] - Number(process.hrtime.bigint()) / 1e6
  if (rest > 0) Atomics.wait(signals, 1, 0, rest)
  Atomics.store(signals, 0, 0)
  parentPort.postMessage(null)
}
`
