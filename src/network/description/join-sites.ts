import type { Bundle, Description } from './description.ts'

/** A bundle whose frames all have markup. */
export type WholeBundle = {
  readonly frames: { slug: string; html: string; formerly: string[] }[]
  readonly menus: Bundle['menus'][number][]
  readonly pages: Bundle['pages'][number][]
  readonly variables: Record<string, string>
}

/** What sites have, as a description. */
export type WholeDescription = Omit<Description, 'bundles'> & {
  readonly bundles: Record<string, WholeBundle>
}

/**
 * Makes one description of what sites have: what is equal on all of them in the bundle `shared`, which may be empty, the rest in a bundle for each
 * site, `site-2`. The description leaves everything else of the sites alone.
 * @param sites what each has, by id
 */
export function joinSites(name: string, sites: ReadonlyMap<number, WholeBundle>): WholeDescription {
  const keys = new Map([...sites].map(([id, bundle]) => [id, new Set(thingsOf(bundle).keys())]))
  const isShared = (key: string): boolean => [...keys.values()].every((ofSite) => ofSite.has(key))
  const [first = EMPTY] = sites.values()
  const bundles: Record<string, WholeBundle> = { shared: choose(first, isShared) }
  const selections: Description['sites'] = [
    { match: { id: [...sites.keys()] }, bundles: ['shared'], variables: {} },
  ]
  for (const [id, bundle] of sites) {
    const own = choose(bundle, (key) => !isShared(key))
    if (thingsOf(own).size === 0) continue
    bundles[`site-${id}`] = own
    selections.push({ match: { id: [id] }, bundles: [`site-${id}`], variables: {} })
  }
  return { version: 1, name, manages: 'named', bundles, sites: selections }
}

const EMPTY: WholeBundle = { frames: [], menus: [], pages: [], variables: {} }

/** Equal things of two sites have the same key. */
const keyOf = (kind: keyof WholeBundle, thing: unknown): string => JSON.stringify([kind, thing])

function thingsOf({ frames, menus, pages, variables }: WholeBundle): Map<string, unknown> {
  const all = { frames, menus, pages, variables: Object.entries(variables) }
  const kinds = Object.keys(all) as (keyof WholeBundle)[]
  return new Map(
    kinds.flatMap((kind) => all[kind].map((thing) => [keyOf(kind, thing), thing] as const)),
  )
}

/** The things of a bundle whose keys are wanted. */
const choose = (
  { frames, menus, pages, variables }: WholeBundle,
  isWanted: (key: string) => boolean,
): WholeBundle => ({
  frames: frames.filter((frame) => isWanted(keyOf('frames', frame))),
  menus: menus.filter((menu) => isWanted(keyOf('menus', menu))),
  pages: pages.filter((page) => isWanted(keyOf('pages', page))),
  variables: Object.fromEntries(
    Object.entries(variables).filter((one) => isWanted(keyOf('variables', one))),
  ),
})
