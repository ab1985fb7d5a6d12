import type { SiteReport } from '../../sites/run-over-sites.ts'
import { formatTable, pluralize } from '../../terminal.ts'
import type { ManifestEntry } from '../folder/manifest.ts'

/** What became of a frame in a pull. */
export type PullResult = {
  readonly id: string
  readonly slug: string
  readonly did: 'new' | 'updated' | 'unchanged' | 'edited' | 'conflict' | 'unreadable' | 'removed'
  /** The file that holds it now; none where it was removed. */
  readonly file?: string
  /** The file that held it before. */
  readonly from?: string | undefined
  /** What the manifest says of it now. */
  readonly entry?: ManifestEntry | undefined
  /** Why nothing was done. */
  readonly note?: string
}

const CONFLICT_ADVICE =
  'Where there is a conflict, both sides stay as they are: bring what "frames show" prints into the file and push it with --force, or give up what the file says with pull --force.\n'

/** @param expected how many frames there were to pull, where it was stopped before the last one */
export function reportOnPull(
  path: string,
  pulled: readonly PullResult[],
  expected: number | undefined,
): SiteReport {
  const count = (did: PullResult['did']) => pulled.filter((frame) => frame.did === did).length
  const changes = (['new', 'updated', 'removed', 'edited', 'conflict', 'unreadable'] as const)
    .filter((did) => count(did) > 0)
    .map((did) => `${count(did)} ${did}`)
  const total = pluralize(pulled.length - count('removed'), 'frame')
  const rows = pulled
    .filter(({ did, file, from }) => did !== 'unchanged' || (from && from !== file))
    .map(({ did, slug, file, from, note }) => [did, slug, file ?? from ?? '', note ?? ''])
  return {
    state: pullState(expected !== undefined, count('conflict') + count('unreadable')),
    outcome: `${total}${expected === undefined ? '' : ` of ${expected}`} in ${path}: ${changes.join(', ') || 'nothing new'}`,
    detail:
      (rows.length > 0 ? formatTable(rows) : '') + (count('conflict') > 0 ? CONFLICT_ADVICE : ''),
    data: {
      folder: path,
      frames: pulled.map(({ id, slug, did, file, from, note }) => ({
        id,
        slug,
        did,
        file: file ?? null,
        ...(from !== undefined && from !== file ? { from } : {}),
        ...(note === undefined ? {} : { note }),
      })),
    },
  }
}

function pullState(isStopped: boolean, failures: number): SiteReport['state'] {
  if (isStopped) return 'stopped'
  return failures > 0 ? 'failed' : 'done'
}
