import type { Client } from '#client'
import type { AddressedSite } from '../sites/site-options.ts'
import { pluralize } from '../terminal.ts'

/** Names that are printed of a list; the others are counted. */
const LISTED = 10

/**
 * What a change or a deletion of a frame touches.
 * @throws ServiceError `frame_not_found`
 */
export async function readImpact(client: Client, site: AddressedSite, ref: string) {
  const { frame, impact } = await client.getGraph({ site_id: site.blogId, frame: ref })
  if (!frame || !impact) throw new Error('A graph without the frame that was asked for.')
  return { slug: frame.slug, ...impact }
}

type Impact = Awaited<ReturnType<typeof readImpact>>

/** `Builds again: 1 frame (layout), 9 pages (http://net.test/, http://net.test/about/ and 7 more).` */
export function describeChange({ change }: Impact): string[] {
  const { frames, frames_total, pages, pages_total } = change
  const parts = [
    ...(frames_total > 0
      ? [`${pluralize(frames_total, 'frame')} (${list(frames.map(slugOf), frames_total)})`]
      : []),
    ...(pages_total > 0
      ? [`${pluralize(pages_total, 'page')} (${list(pages.map(nameOf), pages_total)})`]
      : []),
  ]
  return parts.length > 0 ? [`Builds again: ${parts.join(', ')}.`] : []
}

/** What a deletion breaks. */
export function describeDeletion({ deletion }: Impact): string[] {
  const { embedders, embedders_total, pages, pages_total } = deletion
  return [
    ...(pages_total > 0
      ? [
          `Pages that lose their frame, and are not found then: ${list(pages.map(nameOf), pages_total)}.`,
        ]
      : []),
    ...(embedders_total > 0
      ? [
          `Frames that embed it, and print nothing for it then: ${list(embedders.map(slugOf), embedders_total)}.`,
        ]
      : []),
  ]
}

const slugOf = ({ slug }: { readonly slug: string }): string => slug
const nameOf = ({ id, url }: Impact['change']['pages'][number]): string => url ?? `page ${id}`

function list(names: readonly string[], total: number): string {
  const shown = names.slice(0, LISTED)
  const more = total - shown.length
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
