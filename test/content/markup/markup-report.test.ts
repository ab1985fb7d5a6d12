import { describe, expect, it } from 'vitest'
import { createMarkupReport, type MarkupReport } from '../../../src/content/markup/markup-report.ts'
import { parseMarkup } from '../../../src/content/markup/parse-markup.ts'

const report = (source: string): MarkupReport => createMarkupReport(parseMarkup(source))

describe('createMarkupReport', () => {
  it('reports the contents of a whole page', () => {
    const source = `<!DOCTYPE html>
<html><head><title data-op-bind="page.title">t</title></head>
<body data-op-bind="class:site.mood; lang:page.lang">
<!-- svc/frame {"name":"Header"} /-->
<!-- svc/menu {"location":"header"} /--><!-- svc/menu {"location":"footer_1"} /-->
<!-- svc/repeat {"source":"dataset.news.items"} -->
  <a data-op-bind="href:item.url; item.title; onclick:item.x"></a>
  <!-- svc/repeat {"source":"item.tags","frame":"tag"} /-->
<!-- /svc/repeat -->
<!-- svc/data {"source":"site.title"} /--><!-- svc/data {"source":"site.title"} /-->
<!-- svc/partial {"slug":"footer","id":"0123456789abcdef"} /-->
<!-- svc/gallery /-->
</body></html>`
    expect(report(source)).toEqual({
      inserts: { 'op/data': 2, 'op/frame': 1, 'op/menu': 2, 'op/partial': 1, 'op/repeat': 2 },
      inserts_total: 8,
      sources: [
        'dataset.news',
        'menu.footer_1',
        'menu.header',
        'page.lang',
        'page.title',
        'site.mood',
        'site.title',
      ],
      references: ['header', 'tag', 'footer'],
      aliases: [
        {
          line: 11,
          column: 1,
          pairs: [
            { key: 'slug', value: 'footer' },
            { key: 'id', value: '0123456789abcdef' },
          ],
        },
      ],
      binds: 6,
      renders_on_request: true,
      live_reasons: ['page.title', 'page.lang'],
      has_doctype: true,
      has_body: true,
      warnings: [
        expect.stringMatching(
          /^Line 7, column 3: The attribute onclick cannot be bound\. Near: <a /,
        ),
        'Line 12, column 1: Unknown insert svc/gallery; it prints nothing. Near: <!-- svc/gallery /-->',
      ],
      problems: [
        { code: 'refused_bind', line: 7, column: 3, message: expect.stringMatching(/^The attr/) },
        { code: 'unknown_insert', line: 12, column: 1, message: expect.stringMatching(/^Unknown/) },
      ],
      names: [
        { kind: 'value', name: 'page.title', line: 2, column: 13 },
        { kind: 'value', name: 'site.mood', line: 3, column: 1 },
        { kind: 'value', name: 'page.lang', line: 3, column: 1 },
        { kind: 'frame', name: 'header', line: 4, column: 1 },
        { kind: 'location', name: 'header', line: 5, column: 1 },
        { kind: 'location', name: 'footer_1', line: 5, column: 41 },
        { kind: 'value', name: 'dataset.news.items', line: 6, column: 1 },
        { kind: 'frame', name: 'tag', line: 8, column: 3 },
        { kind: 'value', name: 'site.title', line: 10, column: 1 },
        { kind: 'frame', name: 'footer', line: 11, column: 1 },
      ],
    })
  })

  it('lists each frame once, by the reference that takes precedence, and aliases where they first occur', () => {
    const [slug, same, both, other, body] = [
      '<!-- svc/frame {"slug":"a"} /-->',
      '<!-- svc/frame {"ref":"A ","name":"a"} /-->',
      '<!-- svc/frame {"id":"1","name":"a"} /-->',
      '<!-- svc/frame {"id":"1","name":"b"} /-->',
      '<!-- svc/repeat {"source":"pages","frame":"c"} --><!-- /svc/repeat -->',
    ]
    const { references, aliases } = report([slug, same, both, other, both, slug, body].join('\n'))
    expect(references).toEqual(['a', 'b'])
    expect(aliases.map(({ line }) => line)).toEqual([3, 4])
  })

  it.each([
    ['<!-- svc/content /-->', ['svc/content'], ['page.content']],
    ['<!-- svc/lang-switcher /-->', ['svc/lang-switcher'], ['languages']],
    [
      '<!-- svc/menu {"location":"header","current":true} /-->',
      ['svc/menu current'],
      ['menu.header'],
    ],
    ['<!-- svc/menu {"location":"header","current":"true"} /-->', [], ['menu.header']],
    ['<!-- svc/menu {"menu":"main"} /-->', [], []],
    ['<!-- svc/data {"source":"page.title"} /-->', ['page.title'], ['page.title']],
    ['<!-- svc/repeat {"source":"pages"} --><!-- /svc/repeat -->', [], ['pages']],
    ['<p data-op-bind="if:page.image"></p>', ['page.image'], ['page.image']],
    ['<p data-op-bind="props.title; id:item.id"></p>', [], []],
    ['<p data-op-bind="onclick:page.title"></p>', [], []],
    ['<script><!-- svc/content /--></script>', [], []],
  ])('lists the live reasons of %s', (source, live_reasons, sources) => {
    const renders_on_request = live_reasons.length > 0
    expect(report(source)).toMatchObject({ live_reasons, renders_on_request, sources })
  })

  it.each([
    ['<!-- svc/frame {"title":"a"} /-->', 'names no frame'],
    ['<!-- svc/partial {"name":5} /-->', 'names no frame'],
    ['<!-- svc/menu /-->', 'neither a "location" nor a "menu"'],
    ['<!-- svc/data /-->', 'is not a valid value path'],
    ['<!-- svc/data {"source":"title"} /-->', 'is not a valid value path'],
    ['<!-- svc/repeat {"frame":"card"} /-->', 'is not a valid value path'],
    ['<!-- svc/repeat {"source":"pages"} /-->', 'neither a body nor a "frame"'],
  ])('warns about %s', (source, message) => {
    expect(report(source).warnings).toEqual([expect.stringContaining(message)])
  })

  it.each([
    '<!-- svc/frame {"ref":"a"} /-->',
    '<!-- svc/menu {"location":"header"} /-->',
    '<!-- svc/menu {"menu":7} /-->',
    '<!-- svc/repeat {"source":"pages","frame":"card"} /-->',
    '<!-- svc/content /-->',
  ])('accepts %s without a warning', (source) => {
    expect(report(source).warnings).toEqual([])
  })

  it('detects a doctype and a body only where they exist', () => {
    const source = '<!-- <!doctype html> --><script>"<body>"</script><svg><body-x></svg>'
    expect(report(source)).toMatchObject({ has_doctype: false, has_body: false })
  })
})
