import type { RequestHandler, Response } from 'express'
import type { Executor } from '../executor/executor.ts'
import { currentTimings, timed, withTimings } from '../timings.ts'

/** Measures the parts of every request. */
export function timeRequests(): RequestHandler {
  return (_request, _response, next) => withTimings(() => next())
}

/** The same executor; what it builds is told as `bake`. */
export function timedExecutor(executor: Executor): Executor {
  return {
    apply: (site, change) => timed('bake', () => executor.apply(site, change)),
    render: (site, pageId) => executor.render(site, pageId),
  }
}

/** Tells an administrator of the site where the time went; nobody else is to learn what looking for a site takes. */
export function setServerTiming(response: Response): void {
  const timings = currentTimings()
  if (timings) response.set('Server-Timing', timings.describe())
}
