import type { HistoryEntry } from '../../answers.ts'

type Author = Pick<HistoryEntry, 'user_id' | 'label' | 'action'>

/** Who wrote an entry: `user 2, token deploy`. */
export function authorOf({ user_id, label, action }: Author): string {
  if (action === 'edited') return 'another program'
  if (action === 'found') return 'unknown: it existed before'
  const token = label === 'cli' ? 'a command' : `token ${label || 'without a label'}`
  const who = [...(user_id === null ? [] : [`user ${user_id}`]), ...(label === null ? [] : [token])]
  return who.join(', ') || 'the service'
}

/** What an entry concerns, for readers. */
export const KINDS: Readonly<Record<HistoryEntry['kind'], string>> = {
  frame: 'Frame',
  menu: 'Menu',
  location: 'Location',
  assignment: 'Frame of a page',
  dataset: 'Data set',
  token: 'Token',
  pruning: 'Pruning',
}
