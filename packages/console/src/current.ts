import { signal } from '@preact/signals'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Output, Site } from '../../client/src/index.ts'

/** Who is signed in; undefined until the API has answered. */
export const me = signal<Output<'getMe'> | undefined>(undefined)

/** The site of the view. */
export const SiteContext = createContext<Site | undefined>(undefined)

/** The site of the view. Only below routes with `:site`. */
export function useSite(): Site {
  const site = useContext(SiteContext)
  if (!site) throw new Error('This view has no site.')
  return site
}

/** Whether the token may do what needs this scope. */
export function maySend(scope: 'frames' | 'menus' | 'all'): boolean {
  const own = me.value?.token.scope
  return own === 'all' || own === scope
}

/** Whether the token may change several sites at once. */
export const mayPlan = (): boolean => me.value?.may_manage_network === true && maySend('all')
