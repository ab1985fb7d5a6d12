import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unpackFaketime } from './unpack-library.ts'

/** The clock of the processes that get its environment: the system's clock, and an offset that can be changed while they run. */
export class FakeClock {
  readonly #file: string
  /** Variables of the processes. */
  readonly env: Readonly<Record<string, string>>

  /** @throws Unavailable if libfaketime cannot be downloaded */
  static async make(folder: string): Promise<FakeClock> {
    const clock = new FakeClock(join(folder, 'clock'), await unpackFaketime())
    clock.set(0)
    return clock
  }

  private constructor(file: string, library: string) {
    this.#file = file
    this.env = {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      // As after a change of the system's clock: timers continue, and the times of existing files stay.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    }
  }

  /** Sets the clock to so many seconds after the system's. */
  set(seconds: number): void {
    writeFileSync(this.#file, `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}\n`)
  }
}
