import { describe, expect, it } from 'vitest'
import { contextAt, frameNamedAt } from '../src/editor/cursor-context.ts'

describe('what can be completed at the end of markup', () => {
  it.each([
    ['<!-- ', { kind: 'insert', from: 5 }],
    ['<!-- sv', { kind: 'insert', from: 5 }],
    ['<p><!--svc/me', { kind: 'insert', from: 7 }],
    ['<!-- /svc/rep', { kind: 'insert', from: 6 }],
    ['<!-- svc/menu {', { kind: 'key', insert: 'menu', given: [], from: 15, isQuoted: false }],
    ['<!-- svc/menu {"lo', { kind: 'key', insert: 'menu', from: 16, isQuoted: true }],
    [
      '<!-- svc/menu {"location":"a\\"b{", "',
      { kind: 'key', insert: 'menu', given: ['location'], isQuoted: true },
    ],
    [
      '<!-- svc/menu {"location": "he',
      { kind: 'value', insert: 'menu', key: 'location', from: 28, isQuoted: true },
    ],
    ['<!-- svc/menu {"current":tr', { kind: 'value', key: 'current', from: 25, isQuoted: false }],
    ['<!-- svc/menu {"current":', { kind: 'value', key: 'current', from: 25, isQuoted: false }],
    ['<p data-op-bind="site.ti', { kind: 'bind', hasTarget: false, from: 17 }],
    ['<p data-op-bind="href:site.url; class:pa', { kind: 'bind', hasTarget: true, from: 38 }],
    ["<p data-op-bind='a; ", { kind: 'bind', hasTarget: false, from: 20 }],
    ['<p class="card ca', { kind: 'class', from: 15 }],
  ])('knows %j', (text, expected) => {
    expect(contextAt(text)).toMatchObject(expected)
  })

  it.each([
    'text',
    '<!-- a comment',
    '<!-- svc/menu {"a":1} /--> ',
    '<!-- svc/menu {"a":{"b',
    '<!-- svc/menu {"a":["b',
    '<!-- svc/menu {"a":"b"',
    '<!-- svc/menu {"a":"b"} ',
    '<!-- svc/menu {"a" ',
    '<p class="a" ',
    '<p title="x',
  ])('knows nothing at %j', (text) => {
    expect(contextAt(text)).toBeUndefined()
  })
})

describe('the frame of an insert', () => {
  const at = (markup: string): string | undefined => {
    const [before = '', after = ''] = markup.split('|')
    return frameNamedAt(before, after)
  }

  it.each([
    ['<!-- svc/frame {"name":"ca|rd"} /-->', 'card'],
    ['|<!-- svc/frame {"name":"card"} /-->', undefined],
    ['<!|-- svc/frame {"name":"card"} /-->', undefined],
    ['<!--| svc/partial {"ref":"card","name":2} /-->', 'card'],
    ['<!-- svc/repeat| {"source":"pages","frame":"row"} /-->', 'row'],
    ['<!-- svc/repeat| {"source":"pages","name":"row"} /-->', undefined],
    ['<!-- svc/frame {"name":"card"} /-->|<!-- -->', undefined],
    ['<!-- svc/frame {"name":"ca|rd} /-->', undefined],
    ['<!-- svc/menu {"name":"ca|rd"} /-->', undefined],
    ['<!-- svc/frame {"name":"ca|rd"}', undefined],
  ])('of %j is %j', (markup, expected) => {
    expect(at(markup)).toBe(expected)
  })
})
