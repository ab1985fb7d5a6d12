import type { getFrameEndpoint } from '../src/api/frames/get-frame.endpoint.ts'
import type { listFramesEndpoint } from '../src/api/frames/list-frames.endpoint.ts'
import type { AnswerOf } from './api.ts'

export type Me = {
  user: { id: number; login: string; super_admin: boolean }
  token: {
    id: number
    label: string
    scope: 'read' | 'frames' | 'menus' | 'all'
    sites: number[] | null
    expires_at: string | null
  }
  may_manage_network: boolean
}
export type GetMe = { $response?: Me }
export type SiteSummary = {
  site_id: number
  name: string
  address: string
  home_url: string
  state: 'public' | 'archived' | 'spam'
  languages: { code: string; name: string; rtl: boolean }[]
  default_lang: string | null
}
export type ListSites = {
  $response?: { total: number; sites: SiteSummary[]; next: number | null }
}
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
