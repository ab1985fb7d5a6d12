import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ERRORS } from '../../src/host/errors.ts'
import { TIMINGS } from '../../src/host/timings.ts'

const page = readFileSync(resolve(import.meta.dirname, '../../docs/configuration.md'), 'utf8')

describe('the table of limits', () => {
  it('has one time for responses and streams', () => {
    expect(TIMINGS.events.slowClientMs).toBe(TIMINGS.http.unsentTimeoutMs)
  })

  it('lists the status and code that the API answers', () => {
    const errors = [...page.matchAll(/`(\d{3}) ([a-z_]+)`/g)]
    expect(errors.length).toBeGreaterThan(10)
    for (const [, status, code = ''] of errors)
      expect([code, String(Reflect.get(ERRORS, code)?.status)]).toEqual([code, status])
  })
})
