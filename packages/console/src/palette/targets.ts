import type { Output } from '../../../client/src/index.ts'
import { type Me, me } from '../current.ts'
import { type Reading, useRead } from '../reading.ts'
import { address, findRoute, linkTo, path } from '../router.ts'
import { routes, siteSections } from '../routes.ts'
import { textOf } from '../text.ts'

/** Something to go to. */
export type Target = {
  readonly label: string
  readonly note: string
  readonly href: string
}

/** Targets of one kind. */
export type Group = {
  readonly name: string
  readonly targets: readonly Target[]
  readonly isLoading: boolean
  /** Why they could not be searched. */
  readonly error: string | undefined
}

/** Results of each kind: a longer text finds others. */
const SHOWN = 6

/**
 * What a text finds: views; sites; and in the site of the view frames, menus and pages.
 * @param text trimmed; nothing but views is found without one
 */
export function useTargets(text: string): readonly Group[] {
  const site = findRoute(routes, address.value.path)?.params.site
  const site_id = site === undefined ? undefined : Number(site)
  const isSearched = text !== ''
  const inSite = isSearched && site_id !== undefined ? { site_id } : undefined
  const sites = useRead('listSites', isSearched ? { search: text, limit: SHOWN } : undefined)
  const frames = useRead('listFrames', inSite && { ...inSite, q: text, limit: SHOWN })
  const menus = useRead('listMenus', inSite)
  const pages = useRead('listPages', inSite && { ...inSite, search: text, limit: SHOWN })
  const views = group('Views', viewsOf(site_id, me.value).filter(contains(text)))
  if (!isSearched) return [views]
  const ofSite =
    site_id === undefined
      ? []
      : [
          read('Frames', frames.reading, (answer) => framesIn(answer, site_id)),
          read('Menus', menus.reading, (answer) => menusIn(answer, site_id).filter(contains(text))),
          read('Pages', pages.reading, (answer) => pagesIn(answer, site_id)),
        ]
  return [...ofSite, views, read('Sites', sites.reading, sitesIn)]
}

const contains =
  (text: string) =>
  ({ label, note }: Target): boolean =>
    `${label} ${note}`.toLowerCase().includes(text.toLowerCase())

function group(name: string, targets: readonly Target[]): Group {
  return { name, targets: targets.slice(0, SHOWN + 4), isLoading: false, error: undefined }
}

function read<Answer>(
  name: string,
  reading: Reading<Answer>,
  present: (answer: Answer) => readonly Target[],
): Group {
  if (reading.state === 'ready') return group(name, present(reading.answer))
  const error = reading.state === 'failed' ? reading.error.message : undefined
  return { name, targets: [], isLoading: reading.state === 'loading', error }
}

function viewsOf(site: number | undefined, caller: Me | undefined): Target[] {
  const ofSite = site === undefined ? [] : siteSections
  return [
    ...ofSite.map(([, label, below]) => ({
      label,
      note: 'of this site',
      href: linkTo(`/sites/${site}${below}`),
    })),
    { label: 'All sites', note: 'of the token', href: linkTo('/') },
    ...(caller?.may_manage_network
      ? [{ label: 'Network', note: 'all sites and their work', href: linkTo('/network') }]
      : []),
  ]
}

const sitesIn = ({ sites }: Output<'listSites'>): Target[] =>
  sites.map(({ site_id, title, address }) => ({
    label: title,
    note: address,
    href: linkTo(`/sites/${site_id}`),
  }))

const framesIn = ({ frames }: Output<'listFrames'>, site: number): Target[] =>
  frames.map(({ slug }) => ({
    label: slug,
    note: '',
    href: linkTo(path`/sites/${site}/frames/${slug}`),
  }))

const menusIn = ({ menus }: Output<'listMenus'>, site: number): Target[] =>
  menus.map(({ id, name, slug }) => ({
    label: textOf(name),
    note: slug,
    href: linkTo(`/sites/${site}/menus/${id}`),
  }))

const pagesIn = ({ pages }: Output<'listPages'>, site: number): Target[] =>
  pages.map(({ id, title, path: where, lang }) => ({
    label: textOf(title) || `Page ${id}`,
    note: [lang, where].filter(Boolean).join(' '),
    href: linkTo(`/sites/${site}/pages/${id}`),
  }))
