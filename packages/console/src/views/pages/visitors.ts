import type { Output, Site } from '../../../../client/src/index.ts'

/** A page in the list of pages. */
export type ListedPage = Output<'listPages'>['pages'][number]

/** Why visitors do not get a page of this service, or may not get it. */
export type Obstacle = {
  /** `''`: this service has nothing at the address, and WordPress may serve the page. */
  readonly tone: 'bad' | 'warn' | ''
  /** Short, for a list. */
  readonly short: string
  /** A sentence that says what to do. */
  readonly message: string
}

const STATUSES: Readonly<Record<string, string>> = {
  draft: 'It is a draft.',
  pending: 'It waits for review.',
  future: 'It is scheduled, and its time has not come.',
  private: 'It is private.',
}

const SITES: Readonly<Partial<Record<Site['state'], string>>> = {
  archived: 'The site is archived.',
  spam: 'The site is marked as spam.',
  deleted: 'The site is deleted.',
}

/**
 * All reasons why visitors do not get a page, one sentence each. Empty if they get it.
 * @param site the site of the page
 */
export function obstaclesOf(
  page: ListedPage,
  { state, languages }: Pick<Site, 'state' | 'languages'>,
): readonly Obstacle[] {
  const { status, frame, static: copy } = page
  const found: Obstacle[] = []
  const add = (tone: Obstacle['tone'], short: string, message: string) =>
    found.push({ tone, short, message })
  const closed = SITES[state]
  if (closed !== undefined)
    add('bad', state, `${closed} Visitors get none of its pages until it is opened again.`)
  if (status !== 'publish') {
    const what = STATUSES[status] ?? `It has the status "${status}".`
    add('bad', status, `${what} Publish it in WordPress.`)
  }
  if (page.protected)
    add(
      'bad',
      'password',
      'It has a password, and visitors cannot enter one here. Remove the password.',
    )
  if (frame === null)
    add(
      '',
      'no frame',
      'It has no frame. WordPress serves it, or visitors cannot open it where nothing is behind wp-frames. Assign a frame to build it here.',
    )
  else if (frame.slug === null)
    add('bad', 'frame missing', 'Its frame does not exist any more. Assign another one.')
  if (found.length > 0) return found
  if (copy.state === 'failing')
    add(
      'warn',
      'copy fails',
      `Its static copy cannot be written: ${copy.error ?? 'see the health of the site'}. Where only copies are served, visitors get nothing or the former copy.`,
    )
  else if (copy.url === null)
    add(
      'warn',
      copy.state === 'pending' ? 'copy pending' : 'no copy yet',
      'It has no static copy yet, so visitors get nothing where only copies are served. It is written with the next build of the site.',
    )
  if (page.lang === null && languages.length > 0)
    add(
      'warn',
      'no language',
      'It has no language, so it is in no language of the site. Set one in WordPress.',
    )
  return found
}

/** What is known of the static copy of a page. Why there is none, the obstacles say. */
export function copyText({ static: copy, frame, status, protected: hasPassword }: ListedPage) {
  if (copy.state === 'pending')
    return copy.url === null ? 'to be written' : 'to be written again or removed'
  if (copy.state !== 'none') return copy.state
  return frame?.slug && status === 'publish' && !hasPassword ? 'none yet' : 'none'
}
