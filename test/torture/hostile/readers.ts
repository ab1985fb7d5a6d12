import { sep } from 'node:path'
import fc from 'fast-check'
import { removeValue, SerializedError, setValue } from '#php-serialized'
import { readWakeUp } from '../../../src/build/executor/server/executor-app.ts'
import { readExecutorKey, signWakeUp } from '../../../src/build/executor/wake-up.ts'
import { copyFolder } from '../../../src/build/publishing/static-path.ts'
import { parseSlug } from '../../../src/content/frames/slug.ts'
import { createMarkupReport } from '../../../src/content/markup/markup-report.ts'
import { parseMarkup } from '../../../src/content/markup/parse-markup.ts'
import { parsePath } from '../../../src/content/markup/value-path.ts'
import { AppError } from '../../../src/host/errors.ts'
import { parseAddress } from '../../../src/wordpress/permalinks/address.ts'
import { rewriteReferences } from '../../support/rewrite-references.ts'
import { TEXTS } from './corpus.ts'

const text = fc.oneof(
  fc.constantFrom(...TEXTS),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ unit: fc.constantFrom(...'aisOCNbdRr:;{}"0123456789-.'), maxLength: 40 }),
)
const joined = fc.array(text, { maxLength: 8 }).map((parts) => parts.join(''))

/** Serialized values of WordPress with a damaged part. */
const damaged = fc.tuple(fc.nat(80), fc.nat(10), text).map(([at, removed, piece]) => {
  const whole =
    'a:2:{s:18:"nav_menu_locations";a:1:{s:6:"header";i:2;}i:0;O:8:"stdClass":1:{s:1:"a";R:3;}}'
  return whole.slice(0, at) + piece + whole.slice(at + removed)
})

const SECRET = 'a secret of at least thirty-two bytes'
const STATIC_DIR = `${sep}static`

/** Ignores the errors that a reader may throw. */
function tolerate(kind: abstract new (...given: never[]) => Error, read: () => unknown): void {
  try {
    read()
  } catch (error) {
    if (!(error instanceof kind)) throw error
  }
}

/** Properties of every reader of foreign data, for any input. */
const RULES: Readonly<Record<string, fc.IRawProperty<unknown>>> = {
  markup: fc.property(joined, (markup) => {
    createMarkupReport(parseMarkup(markup))
    const { html, replaced } = rewriteReferences(markup, new Map([['fuzz-a', 'fuzz-b']]))
    if (replaced === 0 && html !== markup) throw new Error('changed without a reference')
  }),
  'serialized values': fc.property(fc.oneof(damaged, joined), joined, (value, encoded) => {
    const path = ['nav_menu_locations', 'header']
    tolerate(SerializedError, () => setValue(value, path, 'i:7;'))
    tolerate(SerializedError, () => setValue(value, path, encoded))
    tolerate(SerializedError, () => removeValue(value, path))
  }),
  'slugs and paths': fc.property(joined, (value) => {
    parsePath(value)
    tolerate(AppError, () => {
      if (!/^[a-z0-9_-]+$/.test(parseSlug(value))) throw new Error('more than letters and digits')
    })
  }),
  'hosts and addresses': fc.property(text, joined, (host, path) => {
    for (const [name, target] of [
      [host, `/${path}`],
      ['net.test', `/${path}`],
      ['net.test', `/${encodeURIComponent(path.toWellFormed())}`],
    ] as const) {
      const address = parseAddress(name, target)
      const folder = address && copyFolder(STATIC_DIR, address)
      if (folder !== undefined && !folder.startsWith(`${STATIC_DIR}${sep}${address?.host}`))
        throw new Error(`leads to ${folder}`)
    }
  }),
  'tokens of the executor': fc.asyncProperty(
    fc.nat(),
    text,
    fc.nat(20),
    async (at, piece, removed) => {
      const key = readExecutorKey(SECRET)
      const token = await signWakeUp(key, 2, 7)
      const start = at % token.length
      const changed = token.slice(0, start) + piece + token.slice(start + removed)
      if (sameToken(token, changed)) return
      if ((await readWakeUp([key], `Bearer ${changed}`)) !== undefined)
        throw new Error(`${changed} was accepted`)
    },
  ),
}

/** The last character of base64url may contain unused bits. */
const sameToken = (one: string, other: string): boolean => {
  const [a, b] = [one, other].map((token) =>
    token.split('.').map((part) => Buffer.from(part, 'base64url').toString('hex')),
  )
  return String(a) === String(b)
}

/** A sentence with the seed and the smallest input for each property that fails. */
export async function breakRules(seed: number, numRuns: number): Promise<string[]> {
  const faults: string[] = []
  for (const [name, rule] of Object.entries(RULES)) {
    const checked = await fc.check(rule, { seed, numRuns })
    if (!checked.failed) continue
    const { counterexample, counterexamplePath, errorInstance: error } = checked
    const why = error instanceof Error ? error.message : String(error)
    faults.push(
      `${name}, seed ${seed}, path ${counterexamplePath}: ${JSON.stringify(counterexample)} -> ${why}`,
    )
  }
  return faults
}
