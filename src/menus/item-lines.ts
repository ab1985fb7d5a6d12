import type { ItemInput } from './item-tree.ts'
import type { ObjectRef } from './object-refs.ts'

/**
 * An item in one line without its position: its target, then its other fields. Items that visitors see differently have different lines; the
 * title of a language switcher is not shown.
 */
export function formatItem({ page, url, object, title: sent, ...texts }: ItemInput): string {
  const title = object?.kind === 'switcher' ? undefined : sent
  const { target, classes, xfn, attrTitle, description } = texts
  const link = object ? formatTarget(object) : page === undefined ? `url ${url}` : `page ${page}`
  const more = Object.entries({ target, classes, xfn, attr_title: attrTitle, description })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `  ${name}=${JSON.stringify(value)}`)
  return `${link}${title === undefined ? '' : `  ${JSON.stringify(title)}`}${more.join('')}`
}

function formatTarget(ref: ObjectRef): string {
  switch (ref.kind) {
    case 'post':
      return `${ref.type} ${ref.path}${formatLanguage(ref.lang)}`
    case 'term':
      return `${ref.taxonomy} ${ref.path}${formatLanguage(ref.lang)}`
    case 'archive':
      return `archive ${ref.type}`
    case 'address':
      return `url ${ref.url} as it is`
    case 'switcher':
      return `switcher ${ref.flags.join(' ')}`
    case 'post-id':
      return `post ${ref.id}`
    case 'term-id':
      return `${ref.taxonomy} ${ref.id}`
  }
}

function formatLanguage(lang: string | undefined): string {
  return lang === undefined ? '' : ` (${lang})`
}
