import type { Output } from '../../../client/src/index.ts'
import { actionsNow } from '../actions.ts'
import { type Reading, useRead } from '../calls.ts'
import { maySend, me } from '../current.ts'
import { recentViews } from '../recent.ts'
import { address, linkTo, path } from '../router.ts'
import { networkParts, shownRoute, siteSections } from '../routes.ts'
import { signOut } from '../session.ts'
import { pageTitle, textOf } from '../text.ts'
import { fits } from './fits.ts'

/** Something to go to, or to do. */
export type Target = {
  readonly label: string
  readonly note: string
  readonly href: string
  /** Done instead of going there. */
  readonly run?: () => void
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
 * What a text finds: actions; views; sites; and in the site of the view frames, menus and pages.
 * @param text trimmed; without one, recent views and what can be done here
 * @param typed what the field has now, which is searched after a pause: what does not fit it is not shown
 */
export function useTargets(text: string, typed: string): readonly Group[] {
  const site = shownRoute.value?.params.site
  const site_id = site === undefined ? undefined : Number(site)
  const isSearched = text !== ''
  const inSite = isSearched && site_id !== undefined ? { site_id } : undefined
  const section = sectionAtEnd(text)
  const sites = useRead('listSites', isSearched ? { search: text, limit: SHOWN } : undefined)
  const withSection = useRead('listSites', section && { search: section.site, limit: SHOWN })
  const frames = useRead('listFrames', inSite && { ...inSite, q: text, limit: SHOWN })
  // Those of a usual site, for what is misspelt.
  const similar = useRead('listFrames', inSite && { ...inSite, limit: 200 })
  const menus = useRead('listMenus', inSite)
  const pages = useRead('listPages', inSite && { ...inSite, search: text, limit: SHOWN })
  // Numbers are ids, which are not shown.
  const contains = ({ label, note }: Target): boolean =>
    /^\d+$/.test(typed) || fits(typed, `${label} ${note}`)
  const actions = group('Actions', actionsOf(site_id).filter(contains))
  const views = group('Views', viewsOf(site_id).filter(contains))
  if (!isSearched) {
    const here = linkTo(address.value.path)
    const recent = recentViews().filter(({ href }) => href !== here)
    return [group('Recent', recent.filter(contains)), actions, views]
  }
  const ofSite =
    site_id === undefined
      ? []
      : [
          read('Frames', frames.reading, (answer) =>
            [
              ...framesIn(answer, site_id),
              ...framesIn(similar.answer ?? { frames: [] }, site_id).filter(
                ({ label }) => !answer.frames.some(({ slug }) => slug === label),
              ),
            ].filter(contains),
          ),
          read('Menus', menus.reading, (answer) => menusIn(answer, site_id).filter(contains)),
          read('Pages', pages.reading, (answer) => pagesIn(answer, site_id).filter(contains)),
        ]
  return [
    ...ofSite,
    actions,
    views,
    read('Sites', sites.reading, (answer) => sitesIn(answer).filter(contains)),
    ...(section
      ? [
          read('Views of sites', withSection.reading, (answer) =>
            answer.sites.map(({ site_id: id, title }) => ({
              label: `${title}: ${section.label}`,
              note: '',
              href: linkTo(`/sites/${id}${section.below}`),
            })),
          ),
        ]
      : []),
  ]
}

/** `shop frames` names a view of another site. */
function sectionAtEnd(text: string) {
  const [, site, last = ''] = /^(.+)\s(\S+)$/.exec(text) ?? []
  const found = siteSections.find(([, label]) => label.toLowerCase().startsWith(last.toLowerCase()))
  return site === undefined || !found ? undefined : { site, label: found[1], below: found[2] }
}

/** What can be done here, and from everywhere. */
function actionsOf(site: number | undefined): Target[] {
  const at = (label: string, note: string, below: string): Target[] =>
    site === undefined
      ? []
      : [{ label, note, href: linkTo(`/sites/${site}${below}`, { new: 'yes' }) }]
  return [
    ...actionsNow().map(({ label, run }) => ({ label, note: 'here', href: '', run })),
    ...(maySend('frames') ? at('New frame', 'create a frame', '') : []),
    ...(maySend('menus') ? at('New menu', 'create a menu', '/menus') : []),
    { label: 'Sign out', note: 'forget the token', href: '', run: () => signOut() },
  ]
}

function group(name: string, targets: readonly Target[]): Group {
  return { name, targets: targets.slice(0, SHOWN * 3), isLoading: false, error: undefined }
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

function viewsOf(site: number | undefined): Target[] {
  const ofSite = site === undefined ? [] : siteSections
  return [
    ...ofSite.map(([, label, below]) => ({
      label,
      note: 'of this site',
      href: linkTo(`/sites/${site}${below}`),
    })),
    { label: 'All sites', note: 'of the token', href: linkTo('/') },
    ...(me.value?.may_manage_network
      ? [
          { label: 'Network', note: 'all sites and their health', href: linkTo('/network') },
          ...networkParts.map(([as, label]) => ({
            label,
            note: 'of the network',
            href: linkTo('/network', { as }),
          })),
        ]
      : []),
  ]
}

const sitesIn = ({ sites }: Output<'listSites'>): Target[] =>
  sites.map(({ site_id, title, address }) => ({
    label: title,
    note: address,
    href: linkTo(`/sites/${site_id}`),
  }))

const framesIn = ({ frames }: Pick<Output<'listFrames'>, 'frames'>, site: number): Target[] =>
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
    label: pageTitle({ id, title }),
    note: [lang, where].filter(Boolean).join(' '),
    href: linkTo(`/sites/${site}/pages/${id}`),
  }))
