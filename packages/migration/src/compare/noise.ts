import { compareAnswers } from './compare-answers.ts'
import type { ComparedAnswer, Difference, DifferenceKind } from './difference.ts'

/** What differs between two answers of the old endpoint itself, by group of kinds and field. */
export type Noise = ReadonlySet<string>

/** Which of two answers has a field, or which value it has, is chance. */
const GROUPS: Partial<Record<DifferenceKind, string>> = {
  missing: 'presence',
  additional: 'presence',
  additional_field: 'presence',
  other_header: 'presence',
  header: 'value',
  value: 'value',
  markup: 'value',
  text: 'value',
}

const noiseKey = ({ kind, field }: Pick<Difference, 'kind' | 'field'>): string =>
  `${GROUPS[kind] ?? kind} ${field}`

/** The noise between the first and the second answer of the old endpoint. */
export function noiseOf(first: ComparedAnswer, second: ComparedAnswer): Noise {
  return new Set(compareAnswers(first, second).map(noiseKey))
}

/** Whether a difference is noise: the old endpoint differs from itself in this field, or in the type of one that contains it. */
export function isNoise(difference: Pick<Difference, 'kind' | 'field'>, noise: Noise): boolean {
  if (noise.has(noiseKey(difference))) return true
  const { field } = difference
  return [...noise].some((key) => {
    const [, group = '', above = ''] = /^(\S+) (.*)$/.exec(key) ?? []
    return group === 'type' && (field.startsWith(`${above}.`) || field.startsWith(`${above}[]`))
  })
}

/** The field of a noise, for people. */
export const noiseField = (key: string): string => key.replace(/^\S+ /, '')
