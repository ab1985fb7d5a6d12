import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { CHECKED_AT_ONCE, checkSites, checks } from '../checks.ts'
import { count } from '../text.ts'

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
    <button type="button" onClick={() => start(open.length > 0 ? open : sites)}>
      {open.length > 0 ? `Check ${count(open.length, 'site')}` : 'Check again'}
    </button>
  )
}
