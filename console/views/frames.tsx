import type { Output } from '../../packages/client/src/index.ts'
import { useSite } from '../current.ts'
import { Empty, Pager, SearchField } from '../parts/list.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { useRead } from '../reading.ts'
import { linkTo, path, type ViewProps } from '../router.ts'
import { size, time } from '../text.ts'

/** The frames of a site. */
export function View({ query }: ViewProps<'site'>) {
  const { site_id } = useSite()
  const q = query.get('q') ?? ''
  const { reading, reload } = useRead('listFrames', {
    site_id,
    q,
    after: query.get('after') ?? undefined,
    limit: 100,
    details: true,
  })
  return (
    <Page title="Frames">
      <SearchField label="Search frames" placeholder="Part of a slug" value={q} />
      <Loaded reading={reading} retry={reload}>
        {({ total, frames, next }) => (
          <>
            {frames.length === 0 ? (
              <Empty>{q === '' ? 'This site has no frames.' : 'No slug contains this text.'}</Empty>
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
        {frames.map(({ id, slug, pages = [], frame_refs, bytes, updated_at_gmt, details }) => (
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
              {pages.length}
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
            <td data-label="Changed">{time(updated_at_gmt)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
