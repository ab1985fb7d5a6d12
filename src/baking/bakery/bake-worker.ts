import type { MarkupReport } from '../../markup/markup-report.ts'
import type { Rewrite } from '../../markup/rewrite-references.ts'
import { FULL_LIMITS } from '../budget.ts'
import * as jobs from './bake-jobs.ts'

/** What a worker thread of the bakery answers to. What it compiled it keeps, for frames are embedded more than once. */
const programs = jobs.createPrograms()

export const report = (job: jobs.ReportJob): MarkupReport => jobs.report(job, programs)

export const rewrite = (job: jobs.RewriteJob): Rewrite => jobs.rewrite(job)

export const inspect = (job: jobs.InspectJob): jobs.Inspection => jobs.inspect(job, programs)

export const bake = (job: jobs.BakeJob): jobs.BakedPieces => jobs.bake(job, programs, FULL_LIMITS)

export const finish = (job: jobs.FinishJob): jobs.FinishedPage =>
  jobs.finish(job, programs, FULL_LIMITS)
