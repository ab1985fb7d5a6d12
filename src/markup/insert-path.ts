import type { InsertNode, Json } from './nodes.ts'
import { type Path, parsePath } from './value-path.ts'

/** The value an insert reads; undefined when it reads none, or names none that can exist. */
export function findInsertPath({ kind, params }: InsertNode): Path | undefined {
  switch (kind) {
    case 'menu':
      return parseName(params.location, 'menu.')
    case 'repeat':
    case 'data':
      return parseName(params.source, '')
    case 'content':
      return parsePath('page.content')
    case 'lang-switcher':
      return parsePath('languages')
    case 'frame':
    case 'partial':
      return undefined
  }
}

function parseName(name: Json | undefined, prefix: string): Path | undefined {
  return typeof name === 'string' ? parsePath(prefix + name.trim()) : undefined
}
