import { Option } from 'commander'
import type { RefusedProblems } from '../../network/plan/plan-context.ts'

/** Options of commands that refuse frames with mistakes. */
export type RefusalOptions = { readonly allowProblems?: true; readonly strict?: true }

export const allowProblemsOption = (): Option =>
  new Option('--allow-problems', 'also write frames with errors in their markup')

export const strictOption = (): Option =>
  new Option('--strict', 'refuse frames with warnings, too').conflicts('allowProblems')

export function refusalOf({ allowProblems, strict }: RefusalOptions): RefusedProblems {
  if (allowProblems) return 'nothing'
  return strict ? 'warnings' : 'errors'
}

export const PROBLEMS_ADVICE =
  'Correct them. Errors of markup can be written with --allow-problems.'
