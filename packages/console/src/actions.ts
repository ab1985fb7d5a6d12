import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

/** Something that can be done in the view that is shown; the search offers it. */
export type Action = { readonly label: string; readonly run: () => void }

const offered = signal<readonly (readonly Action[])[]>([])

/** What can be done now. */
export const actionsNow = (): readonly Action[] => offered.value.flat()

/** Offers actions as long as a part of a view is shown. */
export function useActions(actions: readonly Action[]): void {
  const latest = useRef(actions)
  latest.current = actions
  const labels = actions.map(({ label }) => label)
  useEffect(() => {
    const own = labels.map((label, at) => ({ label, run: () => latest.current[at]?.run() }))
    offered.value = [...offered.value, own]
    return () => (offered.value = offered.value.filter((one) => one !== own))
  }, [labels.join('\n')])
}
