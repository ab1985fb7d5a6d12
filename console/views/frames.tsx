import { useSignal } from '@preact/signals'
import type { Output } from '../../packages/client/src/index.ts'
import { maySend, me, useSite } from '../current.ts'
import { draftsOf } from '../editing/drafts.ts'
import { NewFrameDialog } from '../editing/new-frame-dialog.tsx'
import { Empty, Pager, SearchField } from '../parts/list.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Notice } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'
import { useRead } from '../reading.ts'
import { linkTo, path, replaceQuery, type ViewProps } from '../router.ts'
import { count, size, time } from '../text.ts'

const SELECTIONS = [
  ['all', 'All'],
  ['problems', 'With problems'],
  ['unused', 'Unused'],
] as const

const ORDERS = [
  ['slug', 'By slug'],
  ['updated', 'Latest change'],
  ['size', 'Largest'],
] as const

/** The frames of a site. */
export function View({ query }: ViewProps<'site'>) {
  const { site_id } = useSite()
  const q = query.get('q') ?? ''
  const only = SELECTIONS.find(([name]) => name === query.get('only'))?.[0] ?? 'all'
  const sort = ORDERS.find(([name]) => name === query.get('sort'))?.[0] ?? 'slug'
  const { reading, reload } = useRead('listFrames', {
    site_id,
    q,
    only: only === 'all' ? undefined : only,
    sort,
    after: query.get('after') ?? undefined,
    limit: 100,
    details: true,
  })
  return (
    <Page title="Frames" actions={maySend('frames') && <NewFrame site={site_id} />}>
      <UnsavedChanges site={site_id} />
      <div class="toolbar">
        <SearchField label="Search frames" placeholder="Part of a slug" value={q} />
        <Choice name="only" label="Show" chosen={only} choices={SELECTIONS} />
        <Choice name="sort" label="Sort" chosen={sort} choices={ORDERS} />
      </div>
      <Loaded reading={reading} retry={reload}>
        {({ total, frames, next }) => (
          <>
            {frames.length === 0 ? (
              <Empty>
                {q === '' && only === 'all' ? 'This site has no frames.' : 'No such frame.'}
              </Empty>
            ) : (
              <FrameTable site={site_id} frames={frames} />
            )}
            <Pager {...{ total, next, query }} one="frame" shown={frames.length} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

/** Chooses a parameter of the list. The first choice is the default, which is not in the address. */
function Choice({
  name,
  label,
  chosen,
  choices,
}: {
  readonly name: string
  readonly label: string
  readonly chosen: string
  readonly choices: readonly (readonly [value: string, label: string])[]
}) {
  return (
    <label class="field">
      {label}
      <select
        value={chosen}
        onChange={({ currentTarget: { value } }) =>
          replaceQuery({
            [name]: value === choices[0]?.[0] ? undefined : value,
            after: undefined,
            before: undefined,
          })
        }
      >
        {choices.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Begins a frame. */
function NewFrame({ site }: { readonly site: number }) {
  const isOpen = useSignal(false)
  return (
    <>
      <button type="button" class="primary" onClick={() => (isOpen.value = true)}>
        New frame
      </button>
      {isOpen.value && (
        <NewFrameDialog
          site={site}
          onClose={() => {
            isOpen.value = false
          }}
        />
      )}
    </>
  )
}

/** A link to the unsaved changes of this tab, if there are any. */
function UnsavedChanges({ site }: { readonly site: number }) {
  const drafts = me.value ? draftsOf({ user: me.value.user.id, site }) : []
  if (drafts.length === 0) return null
  return (
    <Notice tone="warn">
      <p>
        <a href={linkTo(`/sites/${site}/changes`)}>{count(drafts.length, 'frame')}</a> with unsaved
        text in this tab.
      </p>
    </Notice>
  )
}

type Frames = Output<'listFrames'>['frames']

function FrameTable({ site, frames }: { readonly site: number; readonly frames: Frames }) {
  return (
    <table class="list">
      <thead>
        <tr>
          <th scope="col">Frame</th>
          <th scope="col">Problems</th>
          <th scope="col" class="number">
            Pages
          </th>
          <th scope="col" class="number">
            Embeds
          </th>
          <th scope="col" class="number">
            Embedded by
          </th>
          <th scope="col" class="number">
            Size
          </th>
          <th scope="col">Changed</th>
        </tr>
      </thead>
      <tbody>
        {frames.map(({ id, slug, pages = [], frame_refs, bytes, details, ...frame }) => (
          <tr key={id}>
            <th scope="row">
              <a href={linkTo(path`/sites/${site}/frames/${slug}`)}>{slug}</a>
            </th>
            <td data-label="Problems">
              {details && details.problems_total > 0 ? (
                <span class="badge bad" title={details.problems[0]}>
                  {details.problems_total}
                </span>
              ) : (
                <span class="none">none</span>
              )}
            </td>
            <td data-label="Pages" class="number">
              <PagesShowing direct={pages.length} all={details?.shown_on ?? pages.length} />
            </td>
            <td data-label="Embeds" class="number">
              {details?.embeds ?? frame_refs.length}
            </td>
            <td data-label="Embedded by" class="number">
              {details?.embedded_by}
            </td>
            <td data-label="Size" class="number">
              {size(bytes)}
            </td>
            <td data-label="Changed">
              {time(frame.updated_at_gmt)}
              {frame.updated_by > 0 && <span class="none"> by user {frame.updated_by}</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Pages of a frame, and those that show it through frames that embed it. */
function PagesShowing({ direct, all }: { readonly direct: number; readonly all: number }) {
  if (all === direct) return <>{direct}</>
  return (
    <>
      {all}{' '}
      <span class="none">{direct === 0 ? 'through others' : `${all - direct} through others`}</span>
    </>
  )
}
