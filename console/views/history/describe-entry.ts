import type { Output } from '../../../packages/client/src/index.ts'

export type HistoryEntry = Output<'listHistory'>['entries'][number]

type Author = Pick<HistoryEntry, 'user_id' | 'label' | 'action'>

/** What an entry concerns: its slug or name; the frame of a page has the name of the frame. */
export function thingOf({ kind, name, ref }: Pick<HistoryEntry, 'kind' | 'name' | 'ref'>): string {
  return kind === 'assignment' ? `Page ${ref}: ${name || 'no frame'}` : name || ref
}

/** Who wrote an entry: `user 2, token deploy`. */
export function authorOf({ user_id, label, action }: Author): string {
  if (action === 'edited') return 'another program'
  if (action === 'found') return 'unknown: it existed before'
  const who = [
    ...(user_id === null ? [] : [`user ${user_id}`]),
    ...(label === null || label === '' ? [] : [label === 'cli' ? 'a command' : `token ${label}`]),
  ]
  return who.join(', ') || 'the service'
}

/** The kinds of things, for readers. */
export const KINDS: Readonly<Record<HistoryEntry['kind'], string>> = {
  frame: 'Frame',
  menu: 'Menu',
  location: 'Location',
  assignment: 'Assignment',
  dataset: 'Data set',
  token: 'Token',
  pruning: 'Pruning',
}
