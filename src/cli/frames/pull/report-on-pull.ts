import type { SiteReport } from '../../sites/run-over-sites.ts'
import { formatTable, pluralize } from '../../terminal.ts'
import type { ManifestEntry } from '../folder/manifest.ts'

/** The result of the pull for one frame. */
export type PullResult = {
  readonly id: string
  readonly slug: string
  readonly did: 'new' | 'updated' | 'unchanged' | 'edited' | 'conflict' | 'unreadable' | 'removed'
  /** The current file; undefined if it was removed. */
  readonly file?: string
  /** The earlier file. */
  readonly from?: string | undefined
  /** The new entry of the manifest. */
  readonly entry?: ManifestEntry | undefined
  /** The reason why nothing was done. */
  readonly note?: string
}

const CONFLICT_ADVICE =
  'Conflicts were left unchanged on both sides. Merge the output of "frames show" into the file and run push --force, or run pull --force to discard the file.\n'

/** @param expected the number of frames on the site if the pull was stopped, otherwise undefined */
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
