import type { Command } from 'commander'
import type { AnswerOf } from '../call-endpoint.ts'
import type { CliContext } from '../cli-context.ts'
import { listFramesEndpoint } from '../endpoints.ts'
import type { List } from '../list-output.ts'
import { siteListCommand } from '../sites/list-command.ts'

type ListedFrame = AnswerOf<typeof listFramesEndpoint>['frames'][number]

const FRAMES: List<ListedFrame> = {
  id: 'id',
  shown: ['slug', 'id', 'bytes', 'pages', 'updated_at_gmt', 'updated_by'],
  others: [
    'block',
    'element',
    'modifier',
    'sha256',
    'inserts',
    'sources',
    'frame_refs',
    'binds',
    'renders_on_request',
    'created_at_gmt',
    'option',
  ],
  cells: { pages: ({ pages = [] }) => pages.length },
}

/** `frames list`: lists the frames of a site by slug. */
export const listFramesCommand = (context: CliContext): Command =>
  siteListCommand(context, {
    noun: 'frame',
    endpoint: listFramesEndpoint,
    fields: FRAMES,
    rowsOf: ({ frames }) => frames.map((frame) => ({ ...frame, pages: frame.pages ?? [] })),
    examples: [
      'wp-frames frames list --site 2',
      'wp-frames frames list --network --format csv --fields slug,bytes,sha256',
      'wp-frames frames list --site 2 --format ids | xargs -r -n 1 wp-frames frames show --site 2',
    ],
  })
