import type { Calls, Input, Output } from './endpoint-types.ts'
import { isServiceError } from './service-error.ts'

/** A frame of a site, by id or slug. */
export type FrameRef = { readonly site_id: number; readonly frame: string }
/** A menu of a site, by id, slug, name, or `~` and a location. */
export type MenuRef = { readonly site_id: number; readonly menu: string }

/** The current state of a frame. */
export type CurrentFrame = Exclude<Output<'getFrame'>, { entry: unknown }>['frame']
/** The current names and items of a menu. */
export type CurrentMenu = Output<'getMenu'>
type FrameBody = Input<'replaceFrame'>['body']
type MenuBody = Input<'replaceMenuItems'>['body']

/** Returns the body of the write, or undefined to write nothing. It is called again if another client was faster. */
export type Change<Current, Body> = (
  current: Current,
) => Body | undefined | Promise<Body | undefined>

export type UpdateOptions = {
  readonly signal?: AbortSignal
  /** How often the frame or menu is read again because it has changed in between [10]. */
  readonly rereads?: number
}

/** Reads a frame or a menu, and writes what `change` makes of it if it has not changed since; otherwise it starts again. */
export type Update = {
  (
    ref: FrameRef,
    change: Change<CurrentFrame, FrameBody>,
    options?: UpdateOptions,
  ): Promise<Output<'replaceFrame'> | undefined>
  (
    ref: MenuRef,
    change: Change<CurrentMenu, MenuBody>,
    options?: UpdateOptions,
  ): Promise<Output<'replaceMenuItems'> | undefined>
}

/** The function `update` of a client. */
export function updateWith(calls: Calls, etagOf: (output: object) => string): Update {
  function update(
    ref: FrameRef | MenuRef,
    change: Change<never, object>,
    { signal, rereads = 10 }: UpdateOptions = {},
  ): Promise<unknown> {
    const { site_id } = ref
    const reading = signal ? { signal } : {}
    const conditional = (read: object) => ({ ...reading, headers: { 'If-Match': etagOf(read) } })
    if ('frame' in ref) {
      return untilUnchanged(rereads, async () => {
        const read = await calls.getFrame({ site_id, ref: ref.frame }, reading)
        const body = await change(read.frame as never)
        const written = { site_id, ref: read.frame.id, body: body as FrameBody }
        return body && calls.replaceFrame(written, conditional(read))
      })
    }
    return untilUnchanged(rereads, async () => {
      const read = await calls.getMenu({ site_id, ref: ref.menu }, reading)
      const body = await change(read as never)
      const written = { site_id, ref: String(read.menu.id), body: body as MenuBody }
      return body && calls.replaceMenuItems(written, conditional(read))
    })
  }
  return update as Update
}

/** Repeats a conditional write while its condition fails. */
async function untilUnchanged(
  rereads: number,
  readAndWrite: () => Promise<unknown>,
): Promise<unknown> {
  for (let reread = 0; ; reread += 1) {
    try {
      return await readAndWrite()
    } catch (error) {
      if (reread >= rereads || !isServiceError(error, 'precondition_failed')) throw error
    }
  }
}
