import type { Endpoint } from './endpoint.ts'
import { assignFrame } from './frames/assign-frame.ts'
import { postFrame } from './frames/create-frame.ts'
import { removeFrame } from './frames/delete-frame.ts'
import { getFrame } from './frames/get-frame.ts'
import { listFrames } from './frames/list-frames.ts'
import { rebakeFrames } from './frames/rebake-frames.ts'
import { removedFrameEndpoints } from './frames/removed-endpoints.ts'
import { patchFrame } from './frames/rename-frame.ts'
import { putFrame } from './frames/replace-frame.ts'
import { getMenus } from './menus/list-menus.ts'

/** Every endpoint. Of two paths that fit a request, the first is taken. */
export const endpoints: readonly Endpoint[] = [
  ...removedFrameEndpoints,
  rebakeFrames,
  listFrames,
  postFrame,
  getFrame,
  putFrame,
  patchFrame,
  removeFrame,
  assignFrame,
  getMenus,
]
