import { z } from 'zod'
import { AppError } from '../../errors.ts'
import type { FrameWrite } from '../../frames/create-frame.ts'
import { gmtText } from '../../wordpress/dates/gmt-text.ts'
import type { Call } from '../endpoint.ts'
import { flag } from '../flag.ts'

/** The body of POST, PUT and PATCH (contract, section 4.1, rules 1 to 6); the fields with codes of their own are checked by the verbs. */
export const FrameBodySchema = z.preprocess(
  (body) => body ?? {},
  z.object({
    slug: z.unknown().optional(),
    html: z.unknown().optional(),
    markup: z.unknown().optional(),
    content: z.unknown().optional(),
    url: z.unknown().optional(),
    type: z.unknown().optional(),
    default: z.unknown().optional(),
    is_default: z.unknown().optional(),
    name: z.unknown().optional(),
    dry_run: flag(false),
    bake: flag(true),
  }),
)

export type FrameBody = z.output<typeof FrameBodySchema>

/** @throws AppError `frame_url_not_supported` */
export function assertNoUrl({ url }: FrameBody): void {
  if (url === undefined) return
  throw new AppError(
    'frame_url_not_supported',
    'A frame has no address. Leave "url" out; put the frame on a page with POST /frames/{ref}/assign.',
  )
}

/** Which fields of the body were passed over, as warnings. */
export function ignoredFields(body: FrameBody): string[] {
  return [
    ...(body.type === undefined ? [] : ['type_ignored']),
    ...(body.default === undefined && body.is_default === undefined ? [] : ['default_ignored']),
    ...(body.name === undefined ? [] : ['name_ignored']),
  ]
}

/** The write that a body asks for; `markup` and `content` are other names of `html`. */
export function frameWrite({
  body,
  caller,
  now,
  expected,
}: Pick<Call<unknown, unknown, FrameBody>, 'body' | 'caller' | 'now' | 'expected'>): FrameWrite {
  return {
    slug: body.slug,
    html: body.html ?? body.markup ?? body.content,
    userId: caller.user.id,
    now: gmtText(now()),
    bake: body.bake,
    expected,
  }
}
