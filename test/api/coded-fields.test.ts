import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { byRule, coded, describeInput, preprocessed } from '../../src/api/coded-fields.ts'
import { defineEndpoint } from '../../src/api/endpoint.ts'
import { AppError } from '../../src/host/errors.ts'

const page = z
  .string()
  .min(2)
  .meta({ description: 'A page.', examples: ['team'] })
const refused = new AppError('menu_name_required', 'A menu needs a name.')
const bodyOf = (body: z.ZodObject) => {
  const { validate } = defineEndpoint({ name: 'x', method: 'post', path: '/', summary: '', body })
  return (sent: object): unknown => {
    try {
      return validate({ params: {}, query: {}, body: sent }).body
    } catch (error) {
      return error
    }
  }
}

describe('a field with an error of the contract', () => {
  const send = bodyOf(
    z.object({
      order: coded(
        z.array(z.int({ error: 'must be an id' })),
        (errors) => new AppError('bad_reorder', 'Send ids.', { errors }),
      ),
      page: coded(page, () => new AppError('page_required', 'Send a page.')),
      name: z.unknown().transform(
        byRule((name) => {
          if (name === 'none') throw refused
          return `${name}!`
        }),
      ),
      limit: z.int({ error: 'must be a number' }),
    }),
  )
  const valid = { order: [1], page: 'team', name: 'menu', limit: 1 }

  it('is read by its schema', () => {
    expect(send(valid)).toEqual({ ...valid, name: 'menu!' })
  })

  it('has the error with all that is wrong with it', () => {
    expect(send({ ...valid, order: [1, 'two', null] })).toMatchObject({
      code: 'bad_reorder',
      fields: {
        errors: [
          { at: 'order.1', reason: 'must be an id' },
          { at: 'order.2', reason: 'must be an id' },
        ],
      },
    })
    expect(send({ ...valid, page: undefined })).toMatchObject({ code: 'page_required' })
    expect(send({ ...valid, name: 'none' })).toBe(refused)
  })

  it('has the first error of several, and none beside a parameter that is invalid otherwise', () => {
    expect(send({ ...valid, page: '', name: 'none' })).toMatchObject({ code: 'page_required' })
    expect(send({ ...valid, page: '', limit: 'all' })).toMatchObject({
      code: 'rest_invalid_param',
      fields: { params: { limit: 'must be a number' } },
    })
  })

  it('keeps the error of a field within it', () => {
    const inner = coded(page.optional(), () => new AppError('page_not_found', 'There is no page.'))
    const outer = coded(inner.pipe(z.string()), () => new AppError('page_required', 'Send a page.'))
    const sendPage = bodyOf(z.object({ page: outer }))
    expect(sendPage({ page: 'x' })).toMatchObject({ code: 'page_not_found' })
    expect(sendPage({})).toMatchObject({ code: 'page_required' })
  })

  it('is described like its schema, with its examples', () => {
    const described = { type: 'string', minLength: 2, description: 'A page.', examples: ['team'] }
    expect(describeInput(coded(page, () => refused))).toEqual(described)
    expect(describeInput(preprocessed(String, page))).toEqual(described)
  })
})
