import { describe, expect, it } from 'vitest'
import {
  findReferenceConflicts,
  type ReferencePair,
} from '../../../src/content/markup/insert-references.ts'

describe('findReferenceConflicts', () => {
  const isSameFrame = (a: string, b: string) => a === 'card' && b === 'c0ffee'

  it.each<[ReferencePair['value'][], boolean]>([
    [[], false],
    [['card'], false],
    [['card', 'card'], false],
    [['card', 'c0ffee'], false],
    [['card', 'c0ffee', 'card'], false],
    [['card', 'header'], true],
    [['card', 'c0ffee', 'header'], true],
    [['header', 'card', 'card'], true],
  ])('%j conflicts: %j', (values, isConflict) => {
    const pairs = values.map((value) => ({ key: 'name', value }) as const)
    expect(findReferenceConflicts(pairs, isSameFrame)).toEqual(isConflict ? pairs : [])
  })
})
