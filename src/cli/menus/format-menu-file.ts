import { stringify } from 'yaml'
import type { ItemFields, ItemInput } from '../../menus/item-tree.ts'
import type { ObjectRef } from '../../menus/object-refs.ts'
import type { PortableMenu } from '../../menus/portable-menu.ts'

export const FILE_FORMATS = ['yaml', 'json'] as const

export type FileFormat = (typeof FILE_FORMATS)[number]

type FileContent = Pick<PortableMenu, 'name' | 'slug' | 'assignments' | 'items'>

type FileItem = { [field: string]: unknown; children?: FileItem[] }

/** A menu as the text of a file, which `readMenuFile` reads as the same. */
export function formatMenuFile(menu: FileContent, format: FileFormat): string {
  const content = menuContent(menu)
  return format === 'json'
    ? `${JSON.stringify(content, null, 2)}\n`
    : stringify(content, { lineWidth: 0, aliasDuplicateObjects: false })
}

/** A menu as a file has it, as plain values. */
export function menuContent({ name, slug, assignments, items }: FileContent): object {
  return { name, slug, locations: assignments, items: nestItems(items) }
}

/** Parents stand before their children in the list. */
function nestItems(items: readonly ItemInput[]): FileItem[] {
  const top: FileItem[] = []
  const made: FileItem[] = []
  for (const item of items) {
    const value: FileItem = { ...linkFields(item), ...textFields(item) }
    made.push(value)
    const above = made[item.parent]
    if (!above) top.push(value)
    else if (above.children) above.children.push(value)
    else above.children = [value]
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
  }
}

function textFields({ title, target, classes, xfn, attrTitle, description }: ItemFields): FileItem {
  return withoutUndefined({ title, target, classes, xfn, attr_title: attrTitle, description })
}

/** Without the fields that have no value. */
function withoutUndefined(fields: FileItem): FileItem {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
