import { writeFileSync } from 'node:fs'
import type { MarkdownOptions } from 'vitepress'

type CodeTransformer = NonNullable<MarkdownOptions['codeTransformers']>[number]

/** The classes of the code in the site by what they stand for, such as `--shiki-light:#24292E;--shiki-dark:#E1E4E8`. */
const classes = new Map<string, string>()

/** Makes classes of the colours of code, because the Content-Security-Policy of `/docs` allows no inline styles. */
export const coloursToClasses: CodeTransformer = {
  name: 'colours-to-classes',
  span: ({ properties }) => {
    const style = String(properties.style ?? '')
    if (style === '') return
    const name = `code-${style.replaceAll(/--shiki-|[^\w-]/g, '').toLowerCase()}`
    classes.set(style, name)
    properties.class = name
    delete properties.style
  },
}

/** Writes the style sheet of these classes. */
export function writeColours(file: string): void {
  const rules = [...classes].map(([style, name]) => `.${name}{${style}}`)
  writeFileSync(file, `${rules.sort().join('\n')}\n`)
}
