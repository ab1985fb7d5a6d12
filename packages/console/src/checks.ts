import { signal } from '@preact/signals'
import type { Output } from '../../client/src/index.ts'
import { api, asServiceError } from './client.ts'
import type { Reading } from './reading.ts'
import { token } from './session.ts'

/** What the doctor has found on a site. */
export type Check = Reading<Output<'listFindings'>>

/** The checks of this session, by site. The navigation and the lists show their results until the next one. */
export const checks = signal<ReadonlyMap<number, Check>>(new Map())

/** Sites that are checked without being asked for: a check reads all frames and copies of its site. */
export const CHECKED_AT_ONCE = 10

/** Another caller may see other sites. */
export function forgetChecks(): void {
  checks.value = new Map()
}

/** @param by the token of the check: of one that has left, nothing is kept */
const put = (by: string | undefined, site: number, check: Check): void => {
  if (by === token.value) checks.value = new Map(checks.value).set(site, check)
}

/** Checks a site. A former result stays until the next one arrives. */
export async function checkSite(site: number): Promise<void> {
  const by = token.value
  const former = checks.value.get(site)
  if (former?.state === 'loading') return
  if (former?.state !== 'ready') put(by, site, { state: 'loading' })
  try {
    put(by, site, { state: 'ready', answer: await api().listFindings({ site_id: site }) })
  } catch (error) {
    put(by, site, { state: 'failed', error: asServiceError(error) })
  }
}

/** Checks sites one after the other, which the service does anyway. */
export async function checkSites(sites: readonly number[], signal: AbortSignal): Promise<void> {
  for (const site of sites) {
    if (signal.aborted) return
    await checkSite(site)
  }
}

/** Errors and warnings of a site; undefined if they are not known. */
export function problemsOf(site: number): number | undefined {
  const check = checks.value.get(site)
  if (check?.state !== 'ready') return undefined
  return check.answer.findings.filter(({ severity }) => severity !== 'info').length
}
