import type { runBatchEndpoint } from '../src/api/batch/run-batch.endpoint.ts'
import type { fixFindingsEndpoint } from '../src/api/findings/fix-findings.endpoint.ts'
import type { listFindingsEndpoint } from '../src/api/findings/list-findings.endpoint.ts'
import type { assignFrameEndpoint } from '../src/api/frames/assign-frame.endpoint.ts'
import type { getFrameEndpoint } from '../src/api/frames/get-frame.endpoint.ts'
import type { listFramesEndpoint } from '../src/api/frames/list-frames.endpoint.ts'
import type { rebakeFramesEndpoint } from '../src/api/frames/rebake-frames.endpoint.ts'
import type { renameFrameEndpoint } from '../src/api/frames/rename-frame.endpoint.ts'
import type { getGraphEndpoint } from '../src/api/graph/get-graph.endpoint.ts'
import type { getEntryEndpoint } from '../src/api/history/get-entry.endpoint.ts'
import type { listHistoryEndpoint } from '../src/api/history/list-history.endpoint.ts'
import type { restoreEndpoint } from '../src/api/history/restore.endpoint.ts'
import type { getMenuEndpoint } from '../src/api/menus/get-menu.endpoint.ts'
import type { listMenusEndpoint } from '../src/api/menus/list-menus.endpoint.ts'
import type { listDriftEndpoint } from '../src/api/network/drift.endpoint.ts'
import type { listNetworkSitesEndpoint } from '../src/api/network/network-sites.endpoint.ts'
import type { listPagesEndpoint } from '../src/api/pages/list-pages.endpoint.ts'
import type { previewPageEndpoint } from '../src/api/preview/preview-page.endpoint.ts'
import type { getMeEndpoint } from '../src/api/sites/get-me.endpoint.ts'
import type { listSitesEndpoint } from '../src/api/sites/list-sites.endpoint.ts'
import type { getWorkEndpoint } from '../src/api/work/get-work.endpoint.ts'
import type { AnswerOf } from './api.ts'

// The endpoints that several views call, by name. Their answers have the types of their schemas.

export type GetMe = typeof getMeEndpoint
export type Me = AnswerOf<GetMe>
export type ListSites = typeof listSitesEndpoint
export type SiteSummary = AnswerOf<ListSites>['sites'][number]

export type ListFrames = typeof listFramesEndpoint
/** A frame as it is now: without `at`, the answer is never a former state. */
export type Frame = Extract<
  AnswerOf<typeof getFrameEndpoint>,
  { frame: { referenced_by: string[] } }
>['frame']
export type GetFrame = { readonly $response?: { frame: Frame } }
export type RenameFrame = typeof renameFrameEndpoint
export type RunBatch = typeof runBatchEndpoint
export type AssignFrame = typeof assignFrameEndpoint

export type PreviewPage = typeof previewPageEndpoint
export type Preview = AnswerOf<PreviewPage>

export type ListMenus = typeof listMenusEndpoint
export type GetMenu = typeof getMenuEndpoint
export type MenuItem = AnswerOf<GetMenu>['items'][number]

export type RebakeFrames = typeof rebakeFramesEndpoint

export type GetGraph = typeof getGraphEndpoint
export type Graph = AnswerOf<GetGraph>
export type GraphNode = Graph['nodes'][number]
export type Impact = NonNullable<Graph['impact']>
export type PageName = Impact['change']['pages'][number]

export type ListPages = typeof listPagesEndpoint
export type ListedPage = AnswerOf<ListPages>['pages'][number]

export type ListHistory = typeof listHistoryEndpoint
export type GetEntry = typeof getEntryEndpoint
export type HistoryEntry = AnswerOf<ListHistory>['entries'][number]
export type ItemChange = NonNullable<AnswerOf<GetEntry>['items']>[number]
export type Restore = typeof restoreEndpoint

export type GetWork = typeof getWorkEndpoint
export type Work = AnswerOf<GetWork>

export type ListFindings = typeof listFindingsEndpoint
export type Findings = AnswerOf<ListFindings>
export type Finding = Findings['findings'][number]
export type Fix = Findings['fixes'][number]
export type FixFindings = typeof fixFindingsEndpoint

export type ListNetworkSites = typeof listNetworkSitesEndpoint
export type NetworkSites = AnswerOf<ListNetworkSites>
export type ListDrift = typeof listDriftEndpoint
export type DriftedSite = AnswerOf<ListDrift>['results'][number]
