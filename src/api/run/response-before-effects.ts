import { skippedEffects } from '../../executor/executor.ts'
import { WithEffects } from '../endpoint.ts'

/** The fields with which a response reports its effects. */
const REPORTED_EFFECTS = new Set(['bake', 'rebaked', 'republish', 'static', 'pending'])

type ResponseBody = Readonly<Record<string, unknown>>

/** The response of a write in a transaction that is still open: what the handler returns, without the fields that report effects. */
export function responseBeforeEffects(handled: object): ResponseBody {
  const response: object =
    handled instanceof WithEffects ? handled.present(skippedEffects(handled.change)) : handled
  return Object.fromEntries(
    Object.entries(response).filter(([field]) => !REPORTED_EFFECTS.has(field)),
  )
}

/** The same response of a write that will be rolled back. */
export function asDryRun(response: ResponseBody): ResponseBody {
  return { ...response, ...('applied' in response ? { applied: false } : {}), dry_run: true }
}
