import { computed } from '@preact/signals'
import { address, findRoute, type Route, route } from './router.ts'

/** Every view. Of two routes that fit an address, the first is taken. */
const routes: readonly Route[] = [
  route('/', 'sites', () => import('./views/sites.tsx')),
  route('/sites/:site', 'frames', () => import('./views/frames.tsx')),
  route('/sites/:site/changes', 'frames', () => import('./views/changes.tsx')),
  route('/sites/:site/frames/:frame', 'frames', () => import('./views/frame.tsx')),
  route('/sites/:site/frames/:frame/plan', 'frames', () => import('./views/plan-frame.tsx')),
  route('/sites/:site/graph', 'graph', () => import('./views/graph.tsx')),
  route('/sites/:site/menus', 'menus', () => import('./views/menus.tsx')),
  route('/sites/:site/menus/:menu', 'menus', () => import('./views/menu.tsx')),
  route('/sites/:site/pages', 'pages', () => import('./views/pages.tsx')),
  route('/sites/:site/pages/:page', 'pages', () => import('./views/page.tsx')),
  route('/sites/:site/history', 'history', () => import('./views/history.tsx')),
  route('/sites/:site/history/:entry', 'history', () => import('./views/entry.tsx')),
  route('/sites/:site/health', 'health', () => import('./views/health.tsx')),
  route('/network', 'network', () => import('./views/network.tsx')),
  route('/network/plans/:plan', 'network', () => import('./views/plan.tsx')),
]

/** The view of the address, with the parameters of its path. */
export const shownRoute = computed(() => findRoute(routes, address.value.path))

/** The navigation of a site: section, label, and path below the site. */
export const siteSections: readonly (readonly [section: string, label: string, path: string])[] = [
  ['frames', 'Frames', ''],
  ['graph', 'Graph', '/graph'],
  ['menus', 'Menus', '/menus'],
  ['pages', 'Pages', '/pages'],
  ['history', 'History', '/history'],
  ['health', 'Health', '/health'],
]

/** The parts of the view of the network: what `as` names, and label. */
export const networkParts = [
  ['', 'Health'],
  ['plans', 'Plans'],
  ['drift', 'Drift'],
  ['history', 'History'],
  ['tokens', 'Tokens'],
] as const
