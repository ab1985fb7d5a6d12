import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const SOURCE = resolve(import.meta.dirname, '../src')

/** The imports of all files below a folder: `parts/list.tsx: ../router.ts`. */
const importsIn = (folder: string): string[] =>
  readdirSync(join(SOURCE, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => {
      const text = readFileSync(join(SOURCE, folder, file), 'utf8')
      return [...text.matchAll(/(?:from|import\() ?'(\.[^']+)'/g)].map(
        ([, path]) => `${folder}/${file}: ${path}`,
      )
    })

describe('the imports of the console', () => {
  it.each([
    ['parts', /: .*(?:views|editing|palette)\//],
    ['editing', /: .*(?:views|palette)\//],
    ['editor', /: .*(?:views|editing|palette)\//],
  ])('%s knows only what is below it', (folder, above) => {
    const imports = importsIn(folder)
    expect(imports.length).toBeGreaterThan(0)
    expect(imports.filter((one) => above.test(one))).toEqual([])
  })
})
