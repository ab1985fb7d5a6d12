import { describe, expect, it } from 'vitest'
import { digestOfSteps, findMoved, type Step } from '../../../src/network/plan/site-plan.ts'

const step = (name: string, more: Partial<Step> = {}): Step => ({
  kind: 'frame',
  name,
  action: 'replaced',
  before: 'a',
  after: 'b',
  ...more,
})

describe('the digest of steps', () => {
  const digest = digestOfSteps([step('one')])

  it('does not depend on the ids of the site, or on diffs', () => {
    expect(digestOfSteps([step('one', { ref: '7', diff: '+x' })])).toBe(digest)
  })

  it.each<Partial<Step>>([
    { kind: 'menu' },
    { name: 'two' },
    { action: 'renamed' },
    { from: 'x' },
    { to: 'x' },
    { before: null },
    { after: 'c' },
  ])('is another one with %j', (more) => {
    expect(digestOfSteps([step('one', more)])).not.toBe(digest)
  })

  it('depends on the order of the steps', () => {
    const steps = [step('one'), step('two')]
    expect(digestOfSteps(steps.toReversed())).not.toBe(digestOfSteps(steps))
  })
})

describe('the steps that have moved', () => {
  it('are those that differ, those that are gone, and then those that are new', () => {
    const expected = [step('same', { ref: '1' }), step('other'), step('gone')]
    const found = [step('new'), step('other', { after: 'c' }), step('same', { ref: '2' })]
    expect(findMoved(expected, found)).toEqual([
      { expected: step('other'), found: step('other', { after: 'c' }) },
      { expected: step('gone'), found: undefined },
      { expected: undefined, found: step('new') },
    ])
  })

  it('are both, for a frame and a menu with one name', () => {
    expect(findMoved([step('one')], [step('one', { kind: 'menu' })])).toHaveLength(2)
  })
})
