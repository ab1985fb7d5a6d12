import { reportChangesEndpoint } from './changes/report-changes.endpoint.ts'
import { getDataEndpoint } from './data/get-data.endpoint.ts'
import type { Endpoint } from './endpoint.ts'
import { assignFrameEndpoint } from './frames/assign-frame.endpoint.ts'
import { createFrameEndpoint } from './frames/create-frame.endpoint.ts'
import { deleteFrameEndpoint } from './frames/delete-frame.endpoint.ts'
import { getFrameEndpoint } from './frames/get-frame.endpoint.ts'
import { listFramesEndpoint } from './frames/list-frames.endpoint.ts'
import { rebakeFramesEndpoint } from './frames/rebake-frames.endpoint.ts'
import { removedFrameEndpoints } from './frames/removed-frame-endpoints.ts'
import { renameFrameEndpoint } from './frames/rename-frame.endpoint.ts'
import { replaceFrameEndpoint } from './frames/replace-frame.endpoint.ts'
import { getEntryEndpoint } from './history/get-entry.endpoint.ts'
import { listHistoryEndpoint } from './history/list-history.endpoint.ts'
import { restoreEndpoint } from './history/restore.endpoint.ts'
import { addMenuItemEndpoint } from './menus/add-item.endpoint.ts'
import { assignMenuLocationEndpoint } from './menus/assign-location.endpoint.ts'
import { createMenuEndpoint } from './menus/create-menu.endpoint.ts'
import { deleteMenuEndpoint } from './menus/delete-menu.endpoint.ts'
import { getMenuEndpoint } from './menus/get-menu.endpoint.ts'
import { listMenusEndpoint } from './menus/list-menus.endpoint.ts'
import { removeMenuItemEndpoint } from './menus/remove-item.endpoint.ts'
import { renameMenuEndpoint } from './menus/rename-menu.endpoint.ts'
import { reorderMenuItemsEndpoint } from './menus/reorder-level.endpoint.ts'
import { replaceMenuItemsEndpoint } from './menus/replace-items.endpoint.ts'
import { updateMenuItemEndpoint } from './menus/update-item.endpoint.ts'
import { getWorkEndpoint } from './work/get-work.endpoint.ts'

/** Every endpoint. Of two paths that fit a request, the first is taken. */
export const endpoints: readonly Endpoint[] = [
  ...removedFrameEndpoints,
  rebakeFramesEndpoint,
  listFramesEndpoint,
  createFrameEndpoint,
  getFrameEndpoint,
  replaceFrameEndpoint,
  renameFrameEndpoint,
  deleteFrameEndpoint,
  assignFrameEndpoint,
  listMenusEndpoint,
  createMenuEndpoint,
  getMenuEndpoint,
  renameMenuEndpoint,
  deleteMenuEndpoint,
  assignMenuLocationEndpoint,
  replaceMenuItemsEndpoint,
  addMenuItemEndpoint,
  updateMenuItemEndpoint,
  removeMenuItemEndpoint,
  reorderMenuItemsEndpoint,
  listHistoryEndpoint,
  getEntryEndpoint,
  restoreEndpoint,
  getDataEndpoint,
  getWorkEndpoint,
  reportChangesEndpoint,
]
