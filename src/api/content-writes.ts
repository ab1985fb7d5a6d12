import type { Endpoint } from './endpoint.ts'
import { assignFrameEndpoint } from './frames/assign-frame.endpoint.ts'
import { createFrameEndpoint } from './frames/create-frame.endpoint.ts'
import { deleteFrameEndpoint } from './frames/delete-frame.endpoint.ts'
import { removedFrameEndpoints } from './frames/removed-frame-endpoints.ts'
import { renameFrameEndpoint } from './frames/rename-frame.endpoint.ts'
import { replaceFrameEndpoint } from './frames/replace-frame.endpoint.ts'
import { assignMenuLocationEndpoint } from './menus/assign-location.endpoint.ts'
import { createMenuItemEndpoint } from './menus/create-item.endpoint.ts'
import { createMenuEndpoint } from './menus/create-menu.endpoint.ts'
import { deleteMenuItemEndpoint } from './menus/delete-item.endpoint.ts'
import { deleteMenuEndpoint } from './menus/delete-menu.endpoint.ts'
import { renameMenuEndpoint } from './menus/rename-menu.endpoint.ts'
import { reorderMenuItemsEndpoint } from './menus/reorder-level.endpoint.ts'
import { replaceMenuItemsEndpoint } from './menus/replace-items.endpoint.ts'
import { updateMenuItemEndpoint } from './menus/update-item.endpoint.ts'

/** The writes of frames, menus and their assignments: what a batch may contain. Of two paths that fit a request, the first is taken. */
export const contentWrites: readonly Endpoint[] = [
  ...removedFrameEndpoints.filter(({ method }) => method !== 'get'),
  createFrameEndpoint,
  replaceFrameEndpoint,
  renameFrameEndpoint,
  deleteFrameEndpoint,
  assignFrameEndpoint,
  createMenuEndpoint,
  renameMenuEndpoint,
  deleteMenuEndpoint,
  assignMenuLocationEndpoint,
  replaceMenuItemsEndpoint,
  createMenuItemEndpoint,
  updateMenuItemEndpoint,
  deleteMenuItemEndpoint,
  reorderMenuItemsEndpoint,
]
