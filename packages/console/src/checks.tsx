import { signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Output } from '../../client/src/index.ts'
import type { Reading } from './calls.ts'
import { api, asServiceError } from './client.ts'
import { Button } from './parts/fields.tsx'
import { token } from './session.ts'
import { count } from './text.ts'

/** What the doctor has found on a site. */
export type Check = Reading<Output<'listFindings'>>

/** The checks of this session, by site. The navigation and the lists show their results until the next one. */
export const checks = signal<ReadonlyMap<number, Check>>(new Map())

/** Sites that are checked without being asked for: a check reads all frames and copies of its site. */
const CHECKED_AT_ONCE = 10

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
async function checkSites(sites: readonly number[], signal: AbortSignal): Promise<void> {
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

/** How much is to be built, of one site or of all. */
export type BuildStatus = Pick<Output<'getWork'>, 'pending' | 'running' | 'failing' | 'oldest'>
export type BuildCounts = BuildStatus['pending']

/** All counts of a status together. */
export const sumOf = ({ pages, frames, purges }: BuildCounts): number => pages + frames + purges

/** Whether something is built at present or soon. What fails waits for its next try. */
export const isUnfinished = ({ pending, failing }: BuildStatus): boolean =>
  sumOf(pending) > sumOf(failing)

/** Checks sites with the doctor: a few at once, more when it is asked to. */
export function CheckSites({ sites }: { readonly sites: readonly number[] }) {
  const running = useSignal<AbortController | undefined>(undefined)
  const isChecked = (site: number) =>
    ['ready', 'failed'].includes(checks.value.get(site)?.state ?? '')
  const open = sites.filter((site) => !isChecked(site))
  const start = (chosen: readonly number[]) => {
    running.value?.abort()
    const abort = new AbortController()
    running.value = abort
    checkSites(chosen, abort.signal).finally(() => {
      if (running.value === abort) running.value = undefined
    })
  }
  useEffect(() => {
    if (open.length > 0 && open.length <= CHECKED_AT_ONCE) start(open)
    return () => running.value?.abort()
  }, [sites.join()])
  if (running.value !== undefined)
    return (
      <p class="hint" role="status">
        Checking: {sites.length - open.length} of {count(sites.length, 'site')}
      </p>
    )
  return (
    <Button
      label={open.length > 0 ? `Check ${count(open.length, 'site')}` : 'Check again'}
      onClick={() => start(open.length > 0 ? open : sites)}
    />
  )
}
