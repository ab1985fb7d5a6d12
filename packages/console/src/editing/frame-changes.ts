import { api } from '../client.ts'
import { path } from '../router.ts'
import { userName } from '../views/history/describe-entry.ts'
import type { Write } from '../writes.ts'

/** A version of a frame: its markup, and the ETag for `If-Match`. */
export type FrameVersion = { readonly html: string; readonly etag: string }

/** A frame as it is stored now. */
export type StoredFrame = FrameVersion & {
  readonly id: string
  readonly slug: string
  /** Who has written it last. */
  readonly author: string
  readonly updated_at_gmt: string
}

/** Unsaved markup of a frame. */
export type FrameChange = {
  /** Id of the frame, or the slug of a new one. */
  readonly ref: string
  readonly slug: string
  readonly html: string
  /** What was changed; undefined for a new frame. */
  readonly base: FrameVersion | undefined
}

/** @throws ServiceError also `frame_not_found`; TypeError if a proxy has removed the ETag */
export async function readStoredFrame(site: number, ref: string): Promise<StoredFrame> {
  const answer = await api().getFrame({ site_id: site, ref, details: true })
  const { id, slug, html, updated_by, updated_at_gmt } = answer.frame
  const author = userName(updated_by, 'names' in answer ? answer.names : undefined)
  return { id, slug, html, author, updated_at_gmt, etag: versionIn(api().etagOf(answer)) }
}

/** The ETag of a read covers the whole answer after a dot; the version before it is what writes compare. */
const versionIn = (etag: string): string => etag.replace(/\.[^"]*/, '')

/** Stores the changes, each only if its frame is still what was changed. */
export const storing = (changes: readonly FrameChange[]): Write[] =>
  changes.map(({ ref, slug, html, base }) =>
    base
      ? {
          method: 'PUT',
          path: path`/frames/${ref}`,
          headers: { 'If-Match': base.etag },
          body: { html },
        }
      : {
          method: 'POST',
          path: '/frames',
          headers: { 'If-None-Match': '*' },
          body: { slug, html },
        },
  )

/** Editors have lines that end with a line feed. */
export const withLineFeeds = (html: string): string => html.replace(/\r\n?/g, '\n')

/** Edited markup with the line ends of the markup that was edited. */
export const withLineEndsOf = (edited: string, { html }: Pick<FrameVersion, 'html'>): string =>
  html.includes('\r\n') && !/(?<!\r)\n/.test(html) ? edited.replaceAll('\n', '\r\n') : edited
