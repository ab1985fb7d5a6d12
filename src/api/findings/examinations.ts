import { FairQueue } from '../../concurrency/fair-queue.ts'
import { examineSite } from '../../doctor/examine.ts'
import type { DoctorServices } from '../../doctor/finding.ts'
import { type IdentifiedFindings, identifyFindings } from '../../doctor/identify-findings.ts'
import { AppError } from '../../errors.ts'
import type { SiteContext } from '../endpoint.ts'

/** Examinations at the same time in a process: each reads all frames and copies of a site, on one of few connections for snapshots. */
export const MAX_RUNNING_EXAMINATIONS = 1
/** Examinations of one site that wait. */
export const MAX_WAITING_EXAMINATIONS = 5

/** Queues the examinations of a process. */
export function examinationQueue(maxWaitMs: number): FairQueue {
  return new FairQueue({
    resource: 'the examination of other sites',
    concurrency: MAX_RUNNING_EXAMINATIONS,
    concurrencyPerKey: MAX_RUNNING_EXAMINATIONS,
    maxWaitingPerKey: MAX_WAITING_EXAMINATIONS,
    maxWaitMs,
  })
}

/** The services of the doctor for a request. */
export function doctorServicesOf({ db, site, executor, copies, now }: SiteContext): DoctorServices {
  return { db, globals: site.globals, executor, copies, now }
}

/**
 * Runs the checks of a site, as the command `doctor` does.
 * @throws AppError `service_busy`, `examination_too_slow`
 */
export function examine(
  { examinations, site }: Pick<SiteContext, 'examinations' | 'site'>,
  services: DoctorServices,
): Promise<IdentifiedFindings> {
  return examinations.run(String(site.blogId), async () => {
    const maxMs = services.db.timings.api.examinationMs
    const signal = AbortSignal.timeout(maxMs)
    try {
      return identifyFindings(await examineSite(services, site, { signal }))
    } catch (error) {
      if (error !== signal.reason) throw error
      throw new AppError(
        'examination_too_slow',
        `The site was not examined within ${maxMs / 1000} seconds. Run "wp-frames doctor --site ${site.blogId}" instead.`,
      )
    }
  })
}
