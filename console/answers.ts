import type { getFrameEndpoint } from '../src/api/frames/get-frame.endpoint.ts'
import type { listFramesEndpoint } from '../src/api/frames/list-frames.endpoint.ts'
import type { getMeEndpoint } from '../src/api/sites/get-me.endpoint.ts'
import type { listSitesEndpoint } from '../src/api/sites/list-sites.endpoint.ts'
import type { AnswerOf } from './api.ts'

export type GetMe = typeof getMeEndpoint
export type Me = AnswerOf<GetMe>
export type ListSites = typeof listSitesEndpoint
export type SiteSummary = AnswerOf<ListSites>['sites'][number]

export type FrameDetails = {
  pages: number
  embeds: number
  embedded_by: number
  problems: string[]
  problems_total: number
  built: boolean
}
export type ListFrames = {
  $response?: Omit<AnswerOf<typeof listFramesEndpoint>, 'frames'> & {
    frames: (AnswerOf<typeof listFramesEndpoint>['frames'][number] & { details?: FrameDetails })[]
    next?: string | null
  }
}
export type GetFrame = {
  $response?: {
    frame: Extract<
      AnswerOf<typeof getFrameEndpoint>,
      { frame: { referenced_by: string[] } }
    >['frame'] & {
      details?: FrameDetails
    }
  }
}
