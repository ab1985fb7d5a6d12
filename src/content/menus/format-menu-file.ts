import { stringify } from 'yaml'
import type { ItemFields, ItemInput } from './item-tree.ts'
import type { ObjectRef } from './object-refs.ts'
import type { PortableAssignment, PortableMenu } from './portable-menu.ts'

export const FILE_FORMATS = ['yaml', 'json'] as const

export type FileFormat = (typeof FILE_FORMATS)[number]

type FileContent = Pick<PortableMenu, 'name' | 'slug' | 'assignments' | 'items'>

/** Read with `readMenuFile`. */
export type MenuContent = {
  readonly name: string
  readonly slug: string
  readonly locations: readonly PortableAssignment[]
  readonly items: readonly FileItem[]
}

type FileItem = { [field: string]: unknown; children?: FileItem[] }

/** Writes a menu as the text of a file; `readMenuFile` is the inverse. */
export function formatMenuFile(content: object, format: FileFormat): string {
  return format === 'json'
    ? `${JSON.stringify(content, null, 2)}\n`
    : stringify(content, { lineWidth: 0, aliasDuplicateObjects: false })
}

/** The contents of a menu file as plain values, as in JSON. */
export function menuContent({ name, slug, assignments, items }: FileContent): MenuContent {
  return { name, slug, locations: assignments, items: nestItems(items) }
}

/** Parents precede their children in the list. */
function nestItems(items: readonly ItemInput[]): FileItem[] {
  const top: FileItem[] = []
  const nested: FileItem[] = []
  for (const item of items) {
    const value: FileItem = { ...linkFields(item), ...textFields(item) }
    nested.push(value)
    const parent = nested[item.parent]
    if (!parent) top.push(value)
    else if (parent.children) parent.children.push(value)
    else parent.children = [value]
  }
  return top
}

function linkFields({ url, object }: ItemFields): FileItem {
  return object ? objectFields(object) : { url }
}

function objectFields(ref: ObjectRef): FileItem {
  switch (ref.kind) {
    case 'post': {
      const { type, path, lang } = ref
      return {
        ...(type === 'page' ? { page: path } : { post: path, type }),
        ...withoutUndefined({ lang }),
      }
    }
    case 'term':
      return { term: ref.path, taxonomy: ref.taxonomy, ...withoutUndefined({ lang: ref.lang }) }
    case 'archive':
      return { archive: ref.type }
    case 'address':
      return { url: ref.url, as_is: true }
    case 'switcher':
      return { switcher: ref.flags }
    case 'post-id':
    case 'term-id':
      throw new Error('a menu file names posts and terms by their paths')
  }
}

function textFields({ title, target, classes, xfn, attrTitle, description }: ItemFields): FileItem {
  return withoutUndefined({ title, target, classes, xfn, attr_title: attrTitle, description })
}

function withoutUndefined(fields: FileItem): FileItem {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
