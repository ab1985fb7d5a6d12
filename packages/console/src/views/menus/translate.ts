import { newItem, type Tree, type TreeItem } from './tree.ts'

/** Whether an item links a page of another language that has no translation into this one. */
export const isUntranslated = ({ fields, target }: TreeItem, lang: string | undefined): boolean =>
  fields.type === 'post_type' &&
  lang !== undefined &&
  target.lang !== null &&
  target.lang !== lang &&
  target.translations[lang] === undefined

/** A new item that links the translation of what another one links. Its label is then that of the page, because the other one is in another language. */
export function translated({ fields, target }: TreeItem, lang: string | undefined): TreeItem {
  const id = lang === undefined ? undefined : target.translations[lang]
  if (fields.type !== 'post_type' || id === undefined || lang === target.lang)
    return newItem(fields, target)
  const page = target.page === null ? null : id
  return newItem(
    { ...fields, object_id: id, title: '' },
    { ...target, lang: lang ?? null, page, title: '' },
  )
}

/**
 * A copy of a tree in another language.
 * @param omit leaves out items whose pages are not translated; what is below them moves up
 */
export function translateTree(tree: Tree, lang: string | undefined, omit: boolean): Tree {
  /** The depths of the omitted items above. */
  const omitted: number[] = []
  const copy: TreeItem[] = []
  for (const item of tree) {
    while ((omitted.at(-1) ?? -1) >= item.depth) omitted.pop()
    if (omit && isUntranslated(item, lang)) omitted.push(item.depth)
    else copy.push({ ...translated(item, lang), depth: item.depth - omitted.length })
  }
  return copy
}
