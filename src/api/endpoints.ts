import type { Endpoint, EndpointKind } from './endpoint.ts'
import { endpoints as batch } from './endpoints/batch.ts'
import { endpoints as changes } from './endpoints/changes.ts'
import { endpoints as data } from './endpoints/data.ts'
import { endpoints as deliveries } from './endpoints/deliveries.ts'
import { endpoints as description } from './endpoints/description.ts'
import { endpoints as findings } from './endpoints/findings.ts'
import { endpoints as frameBakes } from './endpoints/frame-bakes.ts'
import { endpoints as frameWrites } from './endpoints/frame-writes.ts'
import { endpoints as frames } from './endpoints/frames.ts'
import { endpoints as graph } from './endpoints/graph.ts'
import { endpoints as history } from './endpoints/history.ts'
import { endpoints as menuExport } from './endpoints/menu-export.ts'
import { endpoints as menuItems } from './endpoints/menu-items.ts'
import { endpoints as menus } from './endpoints/menus.ts'
import { endpoints as pages } from './endpoints/pages.ts'
import { endpoints as plans } from './endpoints/plans.ts'
import { endpoints as preview } from './endpoints/preview.ts'
import { endpoints as restore } from './endpoints/restore.ts'
import { endpoints as sites } from './endpoints/sites.ts'
import { endpoints as tokens } from './endpoints/tokens.ts'
import { endpoints as webhooks } from './endpoints/webhooks.ts'
import { endpoints as work } from './endpoints/work.ts'

/** Every endpoint: those of sites, of the network, of the caller. Of two paths that fit a request, the first is taken. */
export const endpoints: readonly Endpoint[] = [
  ...frameWrites,
  ...frameBakes,
  ...frames,
  ...graph,
  ...menus,
  ...menuItems,
  ...menuExport,
  ...history,
  ...restore,
  ...webhooks,
  ...deliveries,
  ...plans,
  ...tokens,
  ...sites,
  ...work,
  ...changes,
  ...findings,
  ...batch,
  ...preview,
  ...pages,
  ...data,
  ...description,
]

/** The endpoints of one kind. */
export const endpointsOn = (kind: EndpointKind): readonly Endpoint[] =>
  endpoints.filter(({ on }) => on === kind)
