import { type Site, siteAddress } from '../../wordpress/network/site.ts'

/** How the work on one site comes along. */
export type Progress = {
  /** Says how many steps there are. */
  expect(steps: number): void
  /** One more step is done. */
  tick(): void
}

/** Characters of the bar. */
const BAR_WIDTH = 40
const CLEAR_LINE = '\r\u001b[K'

/** A line on standard error that is written again and again, and only where that is a terminal. */
class TerminalBar {
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

/** The bar of a command: of the sites, or of the steps on the only one. */
export class ProgressBar {
  readonly #bar = new TerminalBar()
  readonly #sites: number
  #finished = 0

  /** @param sites how many there are */
  constructor(sites: number) {
    this.#sites = sites
    if (sites > 1) this.#bar.start(sites, 0, '')
  }

  begin(site: Site): Progress {
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

  /** The site that was begun last is done with. */
  finish(): void {
    this.#finished += 1
    if (this.#sites > 1) this.#bar.update(this.#finished)
  }

  stop(): void {
    this.#bar.stop()
  }
}
