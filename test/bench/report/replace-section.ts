import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'

/**
 * Replaces the text between the markers `<!-- name -->` and `<!-- /name -->` of a file.
 * @throws Error if a marker is missing
 */
export function replaceSection(file: string, name: string, between: string): void {
  const text = readFileSync(file, 'utf8')
  const [opening, closing] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const [begin, end] = [text.indexOf(opening), text.indexOf(closing)]
  if (begin < 0 || end < begin)
    throw new Error(`${basename(file)} must contain ${opening} followed by ${closing}.`)
  const before = text.slice(0, begin + opening.length)
  writeFileSync(file, `${before}\n${between}\n${text.slice(end)}`)
}
