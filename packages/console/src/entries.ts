import type { Output } from '../../client/src/index.ts'
import { pageTitle } from './text.ts'

export type HistoryEntry = Output<'listHistory'>['entries'][number]

/** Names for the ids in an answer. */
export type Names = {
  readonly users: Readonly<Record<string, string>>
  readonly pages?: Readonly<Record<string, string>>
}

const NO_NAMES: Names = { users: {} }

type Author = {
  readonly user_id: number | null
  readonly label: string | null
  readonly action?: HistoryEntry['action']
}

/** The page of an assignment. */
export const pageOf = ({ ref }: Pick<HistoryEntry, 'ref'>, { pages }: Names = NO_NAMES): string =>
  pageTitle({ id: ref, title: pages?.[ref] })

/** What an entry concerns: its slug or name; the frame of a page has the title of the page and the name of the frame. */
export function thingOf(
  { kind, name, ref }: Pick<HistoryEntry, 'kind' | 'name' | 'ref'>,
  names: Names = NO_NAMES,
): string {
  return kind === 'assignment' ? `${pageOf({ ref }, names)}: ${name || 'no frame'}` : name || ref
}

/** A user for readers. */
export const userName = (id: number, { users }: Names = NO_NAMES): string =>
  users[id] ?? `user ${id}`

/** Who wrote an entry: `Alice, with the token deploy`. */
export function authorOf({ user_id, label, action }: Author, { users }: Names = NO_NAMES): string {
  if (action === 'edited') return 'another program'
  if (action === 'found') return 'unknown: it existed before'
  const [, account] = /^cli(?: (.+))?$/.exec(label ?? '') ?? []
  const isCommand = label === 'cli' || account !== undefined
  const means = isCommand
    ? `a command${account === undefined ? '' : ` of ${account}`}`
    : label && `the token ${label}`
  if (!user_id) return means || 'the service'
  const name = userName(user_id, { users })
  return means ? `${name}, with ${means}` : name
}

/** The kinds of things, for readers. */
export const KINDS: Readonly<Record<HistoryEntry['kind'], string>> = {
  frame: 'Frame',
  menu: 'Menu',
  location: 'Location',
  assignment: 'Frame of a page',
  dataset: 'Data set',
  token: 'Token',
  webhook: 'Webhook',
  pruning: 'Pruning',
}
