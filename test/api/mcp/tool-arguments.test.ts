import { beforeAll, describe, expect, it } from 'vitest'
import { inputOf, wantsAllFields } from '../../../src/api/mcp/tool-arguments.ts'
import { openTools, type Tools } from '../../../src/api/mcp/tools.ts'
import { MAX_BODY_VALUES } from '../../../src/api/request-body.ts'
import { AppError } from '../../../src/host/errors.ts'

let tools: Tools
beforeAll(async () => {
  tools = await openTools()
})

function input(name: string, sent: Record<string, unknown>) {
  const tool = tools.find(name)
  if (!tool) throw new Error(`no tool ${name}`)
  return inputOf(tool, sent)
}

/** What the error says about each argument. */
function refusalOf(name: string, sent: Record<string, unknown>): unknown {
  try {
    input(name, sent)
  } catch (error) {
    if (error instanceof AppError) return error.fields.params
    throw error
  }
  throw new Error('accepted')
}

describe('the arguments of a tool', () => {
  it('are the parameters of the path and the query, and the fields of the body', () => {
    const sent = { site_id: 2, ref: 'main', id: 41, lang: 'fr', title: null, parent: 0 }
    expect(input('update_menu_item', sent)).toEqual({
      siteId: '2',
      params: { ref: 'main', id: '41' },
      query: { lang: 'fr' },
      body: { title: null, parent: 0 },
    })
    expect(input('list_frames', { site_id: 2, limit: 3, q: null })).toEqual({
      siteId: '2',
      params: {},
      query: { limit: '3' },
      body: undefined,
    })
    // The item itself has the fields of the body, so it may have one for the language.
    expect(
      input('create_menu_item', { site_id: 2, ref: 'a', url: '/x/', lang: 'fr' }),
    ).toMatchObject({
      query: { lang: 'fr' },
      body: { url: '/x/' },
    })
    expect(input('create_menu', { site_id: 2, name: 'a', lang: 'fr' })).toMatchObject({
      query: {},
      body: { name: 'a', lang: 'fr' },
    })
  })

  it('of a tool with a body that needs none are an empty body', () => {
    expect(input('delete_frame', { site_id: 2, ref: 'a' }).body).toEqual({})
    expect(input('fix_findings', { site_id: 2, fixes: [] }).body).toEqual({
      dry_run: true,
      fixes: [],
    })
  })

  it('may be deprecated ones, with the error or the warning of the endpoint', () => {
    expect(input('create_frame', { site_id: 2, url: '/x/' }).body).toEqual({ url: '/x/' })
  })

  it.each([
    ['in one text', `[${'0,'.repeat(MAX_BODY_VALUES)}0]`],
    ['in many texts', Array.from({ length: 200 }, () => `{"url":"/","a":[${'0,'.repeat(1000)}0]}`)],
    ['in one object', `[{${Array.from({ length: 1001 }, (_, at) => `"x${at}":0`).join()}}]`],
  ])('have no more values than a body may have: %s', (_, items) => {
    const sent = { site_id: 2, ref: 'a', items }
    expect(() => input('replace_menu_items', sent)).toThrow(/The body has more than 1\d*000 /)
  })

  it('that are not known name the nearest one', () => {
    expect(refusalOf('get_frame', { site_id: 2, reff: 'a', frames: 'a' })).toEqual({
      reff: 'is not known. Do you mean `ref`?',
      frames: expect.stringMatching(/^is not known\. This tool takes `site_id`, `ref`, /),
    })
    expect(refusalOf('list_pages', { siteid: 2, search_text: 'a' })).toEqual({
      siteid: 'is not known. Do you mean `site_id`?',
      search_text: 'is not known. Do you mean `search`?',
    })
    expect(refusalOf('create_frame', { site_id: 2, htm: 'a', defaults: 1 })).toEqual({
      htm: 'is not known. Do you mean `html`?',
      // `default` is deprecated, so it is not suggested.
      defaults: expect.stringContaining('This tool takes'),
    })
    expect(refusalOf('get_me', { site_id: 2 })).toEqual({
      site_id: 'is not known: this tool takes no arguments',
    })
  })

  it('have no body: its fields are arguments', () => {
    expect(refusalOf('create_frame', { site_id: 2, body: { slug: 'a' } })).toEqual({
      body: 'is not an argument: send each of its fields as an argument',
    })
  })

  it('ask for all fields of a list, of a tool that leaves some out', () => {
    expect(input('list_frames', { site_id: 2, full: true })).toMatchObject({ query: {} })
    expect([{}, { full: false }, { full: true }].map(wantsAllFields)).toEqual([false, false, true])
    expect(() => wantsAllFields({ full: 'yes' })).toThrow('full')
    expect(refusalOf('get_work', { site_id: 2, full: true })).toHaveProperty('full')
  })
})
