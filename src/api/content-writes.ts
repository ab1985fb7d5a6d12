import type { Endpoint } from './endpoint.ts'
import { endpoints as frameWrites } from './endpoints/frame-writes.ts'
import { endpoints as menuItems } from './endpoints/menu-items.ts'
import { endpoints as menus } from './endpoints/menus.ts'

/** The writes of frames, menus and their assignments: what a batch may contain. Of two paths that fit a request, the first is taken. */
export const contentWrites: readonly Endpoint[] = [...frameWrites, ...menus, ...menuItems].filter(
  ({ method }) => method !== 'get',
)
