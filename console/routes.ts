import { type Route, route } from './router.ts'

/** Every view. Of two routes that fit an address, the first is taken. */
export const routes: readonly Route[] = [
  route('/', 'sites', () => import('./views/sites.tsx')),
  route('/sites/:site', 'frames', () => import('./views/frames.tsx')),
]

/** The navigation of a site: section, label, and path below the site. */
export const siteSections: readonly (readonly [section: string, label: string, path: string])[] = [
  ['frames', 'Frames', ''],
]
