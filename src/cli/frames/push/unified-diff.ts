import { createTwoFilesPatch } from 'diff'
import { sanitizeForTerminal } from '../../terminal.ts'

/** Two markups that have nothing in common take ever longer to compare. */
const DIFF_TIMEOUT_MS = 2000
const DEV_NULL = '/dev/null'

/**
 * What would change, as `diff -u` tells it; empty where nothing does.
 * @param before undefined for a frame that is new, as `after` is for one that is deleted
 */
export function unifiedDiff(
  file: string,
  { before, after }: { readonly before: string | undefined; readonly after: string | undefined },
): string {
  if (before === after) return ''
  const patch = createTwoFilesPatch(
    before === undefined ? DEV_NULL : `a/${file}`,
    after === undefined ? DEV_NULL : `b/${file}`,
    before ?? '',
    after ?? '',
    undefined,
    undefined,
    { timeout: DIFF_TIMEOUT_MS },
  )
  if (patch === undefined) return `${file} differs in too much to be shown.\n`
  return sanitizeForTerminal(patch.replace(/^=+\n/, ''))
}
