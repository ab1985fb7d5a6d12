import { siteAddress } from '../../wordpress/network/site.ts'
import type { AddressedSite } from './site-options.ts'

/** Reports the progress of the work on one site. */
export type Progress = {
  /** Sets the number of steps. */
  expect(steps: number): void
  /** Reports one completed step. */
  tick(): void
}

/** In characters. */
const BAR_WIDTH = 40
const CLEAR_LINE = '\r\u001b[K'

/** A line on standard error that each update overwrites; only if standard error is a terminal. */
export class TerminalBar {
  #total = 0
  #label = ''

  start(total: number, value: number, label: string): void {
    this.#total = total
    this.update(value, label)
  }

  update(value: number, label = this.#label): void {
    this.#label = label
    if (!process.stderr.isTTY) return
    const filled = Math.round((BAR_WIDTH * Math.min(value, this.#total)) / Math.max(this.#total, 1))
    const bar = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled)
    const line = `${bar} ${value}/${this.#total}  ${label}`
    process.stderr.write(CLEAR_LINE + line.slice(0, process.stderr.columns - 1))
  }

  stop(): void {
    if (process.stderr.isTTY) process.stderr.write(CLEAR_LINE)
  }
}

/** The progress bar of a command: counts sites, or the steps if there is only one site. */
export class ProgressBar {
  readonly #bar = new TerminalBar()
  readonly #sites: number
  #finished = 0

  /** @param sites number of sites */
  constructor(sites: number) {
    this.#sites = sites
    if (sites > 1) this.#bar.start(sites, 0, '')
  }

  begin(site: AddressedSite): Progress {
    const address = siteAddress(site)
    let expected = 0
    let done = 0
    const show = (): void =>
      this.#sites > 1
        ? this.#bar.update(this.#finished, `${address} ${done}/${expected}`)
        : this.#bar.update(done)
    if (this.#sites > 1) this.#bar.update(this.#finished, address)
    return {
      expect: (steps) => {
        expected = steps
        if (this.#sites === 1) this.#bar.start(steps, done, address)
        else show()
      },
      tick: () => {
        done += 1
        show()
      },
    }
  }

  /** Reports the end of the work on the current site. */
  finish(): void {
    this.#finished += 1
    if (this.#sites > 1) this.#bar.update(this.#finished)
  }

  stop(): void {
    this.#bar.stop()
  }
}
