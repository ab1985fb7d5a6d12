import type { Endpoint } from './endpoint.ts'
import { assignFrame } from './frames/assign-frame.ts'
import { postFrame } from './frames/create-frame.ts'
import { getFrame } from './frames/get-frame.ts'
import { listFrames } from './frames/list-frames.ts'
import { getMenus } from './menus/list-menus.ts'

/** Every endpoint. Of two paths that fit a request, the first is taken. */
export const endpoints: readonly Endpoint[] = [
  listFrames,
  postFrame,
  getFrame,
  assignFrame,
  getMenus,
]
