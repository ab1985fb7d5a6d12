import type { EditGroup, EditTimesLog } from './edit-times.ts'
import type { EditKind } from './edits/edit.ts'
import { type EditGauge, measureKind, untilSettled } from './measure-edit.ts'
import type { MeasuredSite } from './measured-site.ts'
import type { Report } from './progress.ts'
import { groupLines } from './report/freshness-lines.ts'

/** Parts that would begin later are left out, in milliseconds. */
const MAX_PASS_MS = 15 * 60_000
const SETTLE_LIMIT_MS = 300_000

/** A site with its name in the table. */
export type NamedSite = readonly [name: 'small' | 'large' | 'network', site: MeasuredSite]

/** Runs the parts of a pass. A part that fails does not end the pass. */
export class PartRunner {
  readonly #begin = performance.now()
  readonly #gauge: EditGauge
  readonly #log: EditTimesLog
  readonly #report: Report

  constructor(gauge: EditGauge, log: EditTimesLog, report: Report) {
    this.#gauge = gauge
    this.#log = log
    this.#report = report
  }

  /**
   * Runs a part, and waits until the service has no work.
   * @param blogId only the work of this site [all sites]
   */
  async run(what: string, part: () => Promise<void>, blogId?: number): Promise<void> {
    if (performance.now() - this.#begin > MAX_PASS_MS)
      return this.#report(`${what}: left out, it is too late`)
    try {
      await part()
      await this.settle(blogId)
    } catch (error) {
      this.#report(`${what}: ${error instanceof Error ? error.message : error}`)
    }
  }

  settle(blogId?: number): Promise<void> {
    const limit = { limitMs: SETTLE_LIMIT_MS }
    return untilSettled(this.#gauge.db, blogId === undefined ? limit : { ...limit, blogId })
  }

  /** Measures kinds of edits one after the other, so that no edit makes the service look at a site where it would miss another one. */
  async runKinds(
    group: EditGroup,
    [name, site]: NamedSite,
    kinds: readonly EditKind[],
    { times, allLimitMs = this.#gauge.limitMs }: { times: number; allLimitMs?: number },
  ): Promise<void> {
    const gauge = { ...this.#gauge, allLimitMs }
    const settle = () => this.settle(site.blogId)
    for (const kind of kinds) {
      const measure = async (): Promise<void> => {
        const onEdit = this.#log.collect(group, name, allLimitMs)
        for (let time = 0; time < times; time += 1)
          if (!(await measureKind(gauge, site, kind, onEdit, settle))) break
      }
      await this.run(`${name}, ${kind.titles[0]}`, measure, site.blogId)
    }
    this.reportGroup(group, name)
  }

  reportGroup(group: EditGroup, name: NamedSite[0]): void {
    for (const line of groupLines(this.#log.all(), group, name)) this.#report(line)
  }
}
