import { useSite } from '../current.ts'
import { Select } from '../parts/fields.tsx'
import type { PageName } from '../parts/things.tsx'
import { type Reading, useSiteRead } from '../reading.ts'
import { parameter, replaceQuery } from '../router.ts'
import { count, textOf } from '../text.ts'

type PageToShow = PageName & {
  /** The slug of its own frame, where no page shows the edited one. */
  readonly own?: string | undefined
}

/** Pages on which frames can be looked at. */
export type PagesToShow = {
  readonly pages: readonly PageToShow[]
  /** No page shows the frame, so these pages are shown with it instead of their own frame. */
  readonly areOthers: boolean
}

/**
 * The pages that show a frame, or else any pages of the site.
 * @param ref undefined for a frame that is not stored yet
 * @param others which pages if none shows the frame: any, to be shown with it, or those that have a frame
 */
export function usePagesToShow(
  ref: string | undefined,
  others: 'any' | 'framed' = 'any',
): Reading<PagesToShow> {
  const order = useSite().languages.map(({ code }) => code)
  // The language of the site comes first.
  const rank = ({ lang }: PageName): number => order.indexOf(lang ?? order[0] ?? '')
  const graph = useSiteRead('getGraph', ref === undefined ? undefined : { frame: ref }).reading
  const own = graph.state === 'ready' ? (graph.answer.impact?.change.pages ?? []) : []
  const isMissing = graph.state === 'failed' && graph.error.code === 'frame_not_found'
  const needsOthers =
    ref === undefined || isMissing || (graph.state === 'ready' && own.length === 0)
  const listed = useSiteRead('listPages', needsOthers ? { limit: 200 } : undefined).reading
  if (!needsOthers)
    return graph.state === 'ready'
      ? {
          state: 'ready',
          answer: { pages: own.toSorted((a, b) => rank(a) - rank(b)), areOthers: false },
        }
      : graph
  if (listed.state !== 'ready') return listed
  const pages = listed.answer.pages
    .filter(({ frame }) => others === 'any' || frame !== null)
    .map((page) => ({ ...page, own: page.frame?.slug ?? undefined }))
    // Those that have a frame can show another one within it.
    .sort((a, b) => Number(!a.own) - Number(!b.own) || rank(a) - rank(b))
  return { state: 'ready', answer: { pages, areOthers: others === 'any' } }
}

/** The page of the address, or else the first one. */
export const chosenPage = ({ pages }: PagesToShow): PageToShow | undefined =>
  pages.find(({ id }) => String(id) === parameter('page')) ?? pages[0]

/** Chooses the language and the page of a preview. */
export function PageChoice({
  pages,
  chosen,
}: {
  readonly pages: readonly PageName[]
  readonly chosen: PageName
}) {
  const { languages } = useSite()
  const named = new Map(languages.map(({ code, name }) => [code, name]))
  const codes = [...new Set(pages.map(({ lang }) => lang ?? ''))]
  const inLanguage = pages.filter(({ lang }) => lang === chosen.lang)
  return (
    <>
      {codes.length > 1 && (
        <Select
          label="Language"
          isBare
          value={chosen.lang ?? ''}
          options={codes.map((code) => [code, named.get(code) ?? (code || 'none')])}
          onChange={(code) =>
            replaceQuery({ page: pages.find(({ lang }) => (lang ?? '') === code)?.id })
          }
        />
      )}
      <Select
        label="Page"
        isBare
        value={chosen.id}
        options={inLanguage.map(({ id, title }) => [id, textOf(title) || `Page ${id}`])}
        onChange={(page) => replaceQuery({ page })}
      />
      <span class="visually-hidden">{count(inLanguage.length, 'page')} to choose from</span>
    </>
  )
}
