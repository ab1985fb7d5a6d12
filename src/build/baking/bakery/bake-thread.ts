import { FULL_LIMITS } from '../../../content/markup/evaluation/budget.ts'
import type { MarkupReport } from '../../../content/markup/markup-report.ts'
import type { Rewrite } from '../../../content/markup/rewrite-references.ts'
import * as jobs from './bake-jobs.ts'

// The jobs of a worker thread, called by their names (`Bakery.runOnWorker`). Each thread caches its compiled programs.

const programs = jobs.createPrograms()

export const analyze = (job: jobs.AnalyzeJob): MarkupReport => jobs.analyze(job, programs)

export const rewrite = (job: jobs.RewriteJob): Rewrite => jobs.rewrite(job)

export const inspect = (job: jobs.InspectJob): jobs.Inspection => jobs.inspect(job, programs)

export const bake = (job: jobs.BakeJob): jobs.BakedPieces => jobs.bake(job, programs, FULL_LIMITS)

export const finish = (job: jobs.FinishJob): jobs.FinishedPage =>
  jobs.finish(job, programs, FULL_LIMITS)
