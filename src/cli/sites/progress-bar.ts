import { Presets, SingleBar } from 'cli-progress'
import { type Site, siteAddress } from '../../wordpress/network/site.ts'

/** How the work on one site comes along. */
export type Progress = {
  /** Says how many steps there are. */
  expect(steps: number): void
  /** One more step is done. */
  tick(): void
}

/** The bar on standard error, and only where that is a terminal: of the sites, or of the steps on the only one. */
export class ProgressBar {
  readonly #bar = new SingleBar(
    { format: '{bar} {value}/{total}  {doing}', clearOnComplete: true, gracefulExit: false },
    Presets.shades_classic,
  )
  readonly #sites: number
  #finished = 0

  /** @param sites how many there are */
  constructor(sites: number) {
    this.#sites = sites
    if (sites > 1) this.#bar.start(sites, 0, { doing: '' })
  }

  begin(site: Site): Progress {
    const address = siteAddress(site)
    let expected = 0
    let done = 0
    const show = (): void =>
      this.#sites > 1
        ? this.#bar.update(this.#finished, { doing: `${address} ${done}/${expected}` })
        : this.#bar.update(done)
    if (this.#sites > 1) this.#bar.update(this.#finished, { doing: address })
    return {
      expect: (steps) => {
        expected = steps
        if (this.#sites === 1) this.#bar.start(steps, done, { doing: address })
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
